import CCurl
import Glibc
import NewsCore

/// Sets libcurl's options for one hop.
extension CurlTransfer {
  func setOptions() throws(CurlOptionError) {
    try easy.reset()
    try easy.set(CURLOPT_URL, plan.url)
    try easy.check(newsd_curl_allow_http_only(easy.raw))
    try easy.set(CURLOPT_NOSIGNAL, 1)
    // Without this, removing the handle waits for its name resolution: an unresponsive resolver would block all
    // transfers for half a minute.
    try easy.check(newsd_curl_setopt_quick_exit(easy.raw))
    try easy.set(CURLOPT_FOLLOWLOCATION, 0)
    try easy.set(CURLOPT_HTTP_VERSION, newsd_curl_http2_over_tls)
    // A second request to a host waits for the first one's TLS handshake, which determines whether they can share the
    // connection. Skip this without TLS, where only the first response would determine it.
    if plan.url.hasPrefix("https:"), !isFresh { try easy.set(CURLOPT_PIPEWAIT, 1) }
    if isFresh { try easy.set(CURLOPT_FRESH_CONNECT, 1) }
    try easy.set(CURLOPT_USERAGENT, plan.userAgent)
    try easy.set(headers: plan.headers)
    if let form = plan.form { try easy.set(form: form) }
    try easy.set(CURLOPT_CONNECTTIMEOUT_MS, limits.connectTimeout)
    // Ignore failure: libcurl 7.88 rejects this while the handle still has the buffer of a multiplexed transfer, which
    // is large enough.
    try? easy.set(CURLOPT_BUFFERSIZE, 64 << 10)
    try easy.set(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
    try easy.set(CURLOPT_NETRC, newsd_curl_netrc_ignored)
    if !plan.resolved.isEmpty { try easy.set(resolved: plan.resolved) }
    try setSecurity()
    try setCallbacks()
  }

  private func setSecurity() throws(CurlOptionError) {
    // Set the option even if empty; otherwise libcurl reads the environment itself.
    try easy.set(CURLOPT_PROXY, plan.proxy ?? "")
    try easy.set(CURLOPT_NOPROXY, "")
    switch plan.credential {
    case .basic(let user, let password):
      try easy.set(CURLOPT_HTTPAUTH, newsd_curl_auth_basic)
      try easy.set(CURLOPT_USERNAME, user)
      try easy.set(CURLOPT_PASSWORD, password)
    case .bearer(let token):
      try easy.set(CURLOPT_HTTPAUTH, newsd_curl_auth_bearer)
      try easy.set(CURLOPT_XOAUTH2_BEARER, token)
    case nil: break
    }
    if let path = plan.certificateAuthority {
      try easy.set(CURLOPT_CAINFO, path)
      // Otherwise the authorities in libcurl's default directory would be trusted as well.
      try easy.clear(CURLOPT_CAPATH)
      try easy.set(CURLOPT_PROXY_CAINFO, path)
    }
    if let path = plan.clientCertificate {
      try easy.set(CURLOPT_SSLCERT, path)
      try easy.set(CURLOPT_SSLKEY, path)
    }
    if !plan.verifiesTLS {
      try easy.set(CURLOPT_SSL_VERIFYPEER, 0)
      try easy.set(CURLOPT_SSL_VERIFYHOST, 0)
    }
  }

  private func setCallbacks() throws(CurlOptionError) {
    // The loop holds this object until it removes the handle from the multi handle, so no retain is needed.
    let context = Unmanaged.passUnretained(self).toOpaque()
    try easy.set(CURLOPT_WRITEDATA, pointer: context)
    try easy.check(
      newsd_curl_setopt_data(easy.raw, CURLOPT_WRITEFUNCTION) { bytes, size, count, context in
        guard let context else { return 0 }
        let transfer = Unmanaged<CurlTransfer>.fromOpaque(context).takeUnretainedValue()
        return transfer.receive(body: UnsafeRawBufferPointer(start: bytes, count: size * count))
      }
    )
    try easy.set(CURLOPT_HEADERDATA, pointer: context)
    try easy.check(
      newsd_curl_setopt_data(easy.raw, CURLOPT_HEADERFUNCTION) { bytes, size, count, context in
        guard let context else { return 0 }
        let transfer = Unmanaged<CurlTransfer>.fromOpaque(context).takeUnretainedValue()
        return transfer.receive(headerLine: UnsafeRawBufferPointer(start: bytes, count: size * count))
      }
    )
    // Called immediately before each request is sent, including on reused connections, for which no socket is opened.
    try easy.set(CURLOPT_PREREQDATA, pointer: context)
    try easy.check(
      newsd_curl_setopt_prereq(easy.raw) { context, address, local, _, localPort in
        guard let context, let address, let local else { return CURL_PREREQFUNC_ABORT }
        let transfer = Unmanaged<CurlTransfer>.fromOpaque(context).takeUnretainedValue()
        let isAllowed =
          transfer.isAllowed(String(cString: address))
          && transfer.isClean(String(cString: local), Int(localPort))
        return isAllowed ? CURL_PREREQFUNC_OK : CURL_PREREQFUNC_ABORT
      }
    )
    // Checks the address and opens the socket with close-on-exec, which libcurl does not set.
    try easy.set(CURLOPT_OPENSOCKETDATA, pointer: context)
    try easy.check(
      newsd_curl_setopt_opensocket(easy.raw) { context, _, address in
        guard let context, let address else { return newsd_curl_socket_bad }
        let transfer = Unmanaged<CurlTransfer>.fromOpaque(context).takeUnretainedValue()
        return transfer.openSocket(to: &address.pointee)
      }
    )
  }
}
