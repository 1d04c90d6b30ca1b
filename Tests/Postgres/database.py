"""A PostgreSQL server of a test's own, with its socket in a folder of its own; it touches nothing outside that folder."""
import glob, os, shutil, signal, subprocess, sys, tempfile, time


class Database:
    def __init__(self, port=5432):
        self.port = str(port)
        initdb = shutil.which("initdb") or (sorted(glob.glob("/usr/lib/postgresql/*/bin/initdb")) or [""])[-1]
        if not initdb:
            print("there is no PostgreSQL server here", file=sys.stderr)
            sys.exit(1)
        self.programs = os.path.dirname(os.path.realpath(initdb))
        self.folder = tempfile.mkdtemp(prefix="newsd-postgres-", dir="/tmp")
        self.server = None
        # initdb and the server refuse to run as root. The folder stays root's, who trusts no store in another user's folder.
        self.prefix = []
        if os.getuid() == 0:
            self.prefix = ["setpriv", "--reuid=nobody", "--regid=nogroup", "--clear-groups"]
        os.chmod(self.folder, 0o1777)

    @staticmethod
    def own(path):
        """Gives a file to the server's user."""
        if os.getuid() == 0:
            shutil.chown(path, "nobody")

    def start(self, *options, access=""):
        """Makes the cluster and starts the server. `access`: lines of pg_hba.conf before the default ones."""
        subprocess.run(
            [*self.prefix, f"{self.programs}/initdb", "-D", f"{self.folder}/data", "-A", "trust", "-U", "newsd", "--no-sync",
             "-E", "UTF8", "--locale=C"],
            check=True, stdout=subprocess.DEVNULL, cwd=self.folder,
        )
        with open(f"{self.folder}/data/pg_hba.conf") as file:
            lines = file.read()
        with open(f"{self.folder}/data/pg_hba.conf", "w") as file:
            file.write(access + lines)
        self.launch(*options)

    def launch(self, *options):
        """Starts the server on the cluster that is there."""
        self.server = subprocess.Popen(
            [*self.prefix, f"{self.programs}/postgres", "-D", f"{self.folder}/data", "-k", self.folder, "-c",
             "listen_addresses=", "-c", "fsync=off", "-p", self.port, *options],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd=self.folder,
        )
        for _ in range(100):
            ready = subprocess.run([f"{self.programs}/pg_isready", "-q", "-h", self.folder, "-p", self.port, "-U", "newsd"])
            if ready.returncode == 0:
                return
            time.sleep(0.1)
        raise SystemExit("the server does not start")

    def sql(self, text, base="postgres"):
        done = subprocess.run(
            ["psql", "-qAtX", "-v", "ON_ERROR_STOP=1", "-h", self.folder, "-p", self.port, "-U", "newsd", base], input=text,
            capture_output=True, text=True, timeout=60,
        )
        if done.returncode:
            raise SystemExit(f"psql: {done.stderr}")
        return done.stdout.strip()

    def standby(self, follows=True):
        """A copy of this server. `follows`: it applies what happens here from now on."""
        other = Database()
        subprocess.run(
            [*self.prefix, f"{self.programs}/pg_basebackup", "-h", self.folder, "-U", "newsd", "-D", f"{other.folder}/data",
             "-c", "fast", "--no-sync", "-X", "stream", *(["-R"] if follows else [])],
            check=True, cwd=self.folder,
        )
        if not follows:
            subprocess.run([*self.prefix, "touch", f"{other.folder}/data/standby.signal"], check=True)
        other.launch()
        return other

    def promote(self):
        self.sql("SELECT pg_promote(true)")

    def halt(self, how=signal.SIGINT):
        """Ends the server: SIGINT ends its connections, SIGQUIT stops as if the machine had lost power."""
        self.server.send_signal(how)
        self.server.wait(20)
        self.server = None

    def stop(self):
        if self.server:
            self.halt()
        shutil.rmtree(self.folder, ignore_errors=True)
