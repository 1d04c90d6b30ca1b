"""A PostgreSQL server of a test's own, with its socket in a folder of its own; it touches nothing outside that folder."""
import glob, os, shutil, signal, subprocess, sys, tempfile, time


class Database:
    def __init__(self):
        initdb = shutil.which("initdb") or (sorted(glob.glob("/usr/lib/postgresql/*/bin/initdb")) or [""])[-1]
        if not initdb:
            print("there is no PostgreSQL server here", file=sys.stderr)
            sys.exit(1)
        self.programs = os.path.dirname(os.path.realpath(initdb))
        self.folder = tempfile.mkdtemp(prefix="newsd-postgres-", dir="/tmp")

    def start(self):
        # initdb refuses to run as root.
        prefix = []
        if os.getuid() == 0:
            shutil.chown(self.folder, "nobody")
            prefix = ["setpriv", "--reuid=nobody", "--regid=nogroup", "--clear-groups"]
        os.chmod(self.folder, 0o755)
        subprocess.run(
            [*prefix, f"{self.programs}/initdb", "-D", f"{self.folder}/data", "-A", "trust", "-U", "newsd", "--no-sync",
             "-E", "UTF8", "--locale=C"],
            check=True, stdout=subprocess.DEVNULL, cwd=self.folder,
        )
        self.server = subprocess.Popen(
            [*prefix, f"{self.programs}/postgres", "-D", f"{self.folder}/data", "-k", self.folder, "-c",
             "listen_addresses=", "-c", "fsync=off"],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd=self.folder,
        )
        for _ in range(100):
            ready = subprocess.run([f"{self.programs}/pg_isready", "-q", "-h", self.folder, "-U", "newsd"])
            if ready.returncode == 0:
                return
            time.sleep(0.1)
        raise SystemExit("the server does not start")

    def stop(self):
        self.server.send_signal(signal.SIGINT)
        self.server.wait(20)
        shutil.rmtree(self.folder, ignore_errors=True)
