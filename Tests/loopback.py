"""A test's web server at every address of 127.0.0.0/8, so that each feed can have a host of its own."""
import http.server, socket


class LoopbackServer(http.server.ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 500

    def __init__(self, handler):
        super().__init__(("0.0.0.0", 0), handler)

    def server_bind(self):
        # The address names all interfaces; this leaves only the loopback interface.
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_BINDTODEVICE, b"lo\0")
        super().server_bind()
