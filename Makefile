# newsd: build, run, test, install. `make help` lists the targets.

SWIFT   ?= swift
PREFIX  ?= /usr/local
DESTDIR ?=
BUILD    = .build/release/newsd
STORE    = .newsd/newsd.db
# Link the Swift runtime statically, so that the binary runs without Swift; the C libraries are the distribution's.
# Export no symbols: each start would read the table of 15,000 names that no library asks for. No RUNPATH: the loader
# would look for each library beside the binary first.
RELEASE  = -c release --static-swift-stdlib -Xlinker --no-export-dynamic --disable-local-rpath $(MAPPED)
# Let no path of this machine into the binary, so that two builds of one commit are equal ('make reproducible').
MAPPED   = -Xswiftc -file-prefix-map -Xswiftc $(CURDIR)=/newsd -Xcc -ffile-prefix-map=$(CURDIR)=/newsd

# The optimizer orders some instructions by addresses: without random ones, it always does the same. Packages are built with one
# thread a module, because the addresses of several depend on each other's pace, without the hashes of modules for
# incremental builds, which differ where the code does not, and without the headers' times in C modules, of which their
# identifiers are made: a header that changed within its size needs 'make clean'.
FIXED    = $(shell setarch -R true 2>/dev/null && echo setarch -R)
STEADY   = -Xswiftc -num-threads -Xswiftc 1 -Xswiftc -Xfrontend -Xswiftc -disable-incremental-llvm-codegen \
           -Xswiftc -Xcc -Xswiftc -Xclang -Xswiftc -Xcc -Xswiftc -fno-pch-timestamp

# What 'newsd version' names: the commit of the git checkout; in a source package, the file .commit, which debian/rules writes.
COMMIT = $(or $(NEWSD_COMMIT),$(shell sh scripts/commit))
.PHONY: build-release help soak run test smoke build build-tests check deps swift format lint comparisons test-sanitize test-address bench conformance fuzz fuzz-all install uninstall deb repository image tarball arm64 rpm reproducible test-package test-image clean

help:
	@echo "make run            install what is missing, build, subscribe to config/feeds.opml, fetch, show headlines"
	@echo "make test           install what is missing, run all tests"
	@echo "make smoke          the tests that take under 30 s once they are built"
	@echo "make build          the release binary, $(BUILD)"
	@echo "make check          format lint, build and tests, as CI does; names comparisons that cannot run here"
	@echo "make test-sanitize  the tests of code that touches C or threads, under address and thread sanitizers"
	@echo "make test-address   the same under the address sanitizer only, as CI does"
	@echo "make format         rewrite the sources in the project's format"
	@echo "make bench          figures beside those of peers, as ratios"
	@echo "make soak           eight minutes of load and faults on a release build (SECONDS=480); prints a table"
	@echo "                NODES=3: three daemons on a PostgreSQL server, about eight minutes (FAULTS='kill away')"
	@echo "make conformance    score the parser on corpus/, and where ../shared is present on real documents"
	@echo "make fuzz           fuzz a parser (NAME=feed|html|article|opml|date|url|query|words|json|web SECONDS=60)"
	@echo "make fuzz-all       fuzz all parsers, SECONDS=300 in total, as CI does; an hour is SECONDS=3600"
	@echo "make install        install what was built below PREFIX ($(PREFIX)), staged in DESTDIR"
	@echo "make uninstall      remove what install put there"
	@echo "make deb            a Debian package, and one of its debugging symbols"
	@echo "make repository     add the Debian package to a signed apt repository in repository/ (KEY=NAME of gpg)"
	@echo "make image          container images newsd:slim and newsd:distroless, with podman, docker or buildah (BUILDER=docker BASE=IMAGE)"
	@echo "make test-image     build the images on a fresh Debian 13 and try them (root, podman; passed over elsewhere)"
	@echo "make reproducible   build the last commit twice and compare the binaries (8 minutes)"
	@echo "make tarball        newsd-VERSION-linux-ARCH.tar.gz: program, unit, manual, completions, documents"
	@echo "make arm64          cross-build the tarball for arm64 and try it under qemu (FOLDER=… keeps 0.6 GB of downloads)"
	@echo "make rpm            an rpm"
	@echo "make test-package   install, upgrade, downgrade and purge the package in fresh Debian systems (root; passed over elsewhere)"
	@echo "make deps           install the system libraries only"
	@echo "make clean          remove what the build made"

# As debian/rules calls it: builds without installing libraries.
build-release: swift
	NEWSD_COMMIT='$(COMMIT)' $(FIXED) $(SWIFT) build $(RELEASE) $(STEADY) --product newsd

swift:
	@command -v $(SWIFT) >/dev/null 2>&1 || { \
	  echo "newsd is built with the Swift toolchain, 6.2 or later, and there is no '$(SWIFT)' here. From the shortest way on:" >&2; \
	  echo "1. Install a package that another machine has built with 'make deb': apt install ./newsd_VERSION_ARCH.deb" >&2; \
	  echo "2. Or run an image that another machine has built with 'make image': podman run newsd:slim" >&2; \
	  echo "3. Or get the toolchain from https://www.swift.org/install/linux/ and put its usr/bin folder on your PATH." >&2; \
	  echo "docs/install.md has each from nothing to the first headline." >&2; \
	  exit 1; }

deps: swift
	@sh scripts/install-dependencies

build: deps
	@test -x $(BUILD) || echo "The first build takes about 4 minutes on two cores and 150 MB; a line may stay for a minute."
	NEWSD_COMMIT='$(COMMIT)' $(FIXED) $(SWIFT) build $(RELEASE) --product newsd

run: build
	@sh scripts/first-run $(BUILD) $(STORE)

test: build-tests
	@sh scripts/run-tests $(SWIFT) test --skip-build $(WIDTH)

# The number of tests that run at a time. Without a limit, all would start at once, and each of their clients, servers and
# programs would get so little of the processors that those with time limits of their own, as users have, would give up.
WIDTH = --experimental-maximum-parallelization-width 8

smoke: build-tests
	@sh scripts/run-tests $(SWIFT) test --skip-build $(WIDTH) --filter '$(SMOKE)' --skip '$(SLOW)'

SMOKE = NewsdTests|NewsCoreTests|ModulesTests|NewsSQLiteTests|EndToEndTests.*(Journey|Help|Bad)
# Words in the titles of tests that would double the time of 'make smoke': large stores, kills, and a real wait.
SLOW = untrusted export|write-ahead log|killed while writing|adverse conditions|Export and import|epair|estor|network outage

build-tests: deps
	@test -d .build/debug || echo "The first build takes about 6 minutes on two cores and 500 MB; a line may stay for a minute."
	$(SWIFT) build --build-tests

lint: swift
	@sh scripts/language
	$(SWIFT) format lint --strict --recursive --parallel Sources Tests bench Package.swift

format: swift
	$(SWIFT) format format --in-place --recursive --parallel Sources Tests bench Package.swift

check: lint test comparisons

comparisons:
	@sh scripts/comparisons

# The address and thread sanitizers cannot share a build; each builds only the suites of SANITIZED. Leak detection is off:
# XCTest itself leaks. The thread sanitizer only reports: it shows false races, because the slow path of the standard
# library's Mutex is not instrumented.
test-sanitize: test-address
	NEWSD_TEST_TARGETS='$(SANITIZED)' TSAN_OPTIONS=exitcode=0 \
	  $(SWIFT) test $(WIDTH) --sanitize=thread --scratch-path .build/thread

# The stacks of allocations take a quarter of the time; four frames find the place. Few tests at once, because a PostgreSQL server
# ends a transaction whose client computes for 30 seconds.
test-address: deps
	NEWSD_TEST_TARGETS='$(SANITIZED)' ASAN_OPTIONS=detect_leaks=0:malloc_context_size=4 \
	  sh scripts/run-tests $(SWIFT) test --experimental-maximum-parallelization-width 4 --sanitize=address \
	  --scratch-path .build/address

SANITIZED = NewsHTTPTests NewsNetworkTests NewsProgramsTests NewsSyndicationTests NewsSQLiteTests StoreContractTests

bench: build
	@sh bench/run $(BUILD)

# SECONDS if the caller gave it, else the argument. Shells have a variable SECONDS of their own.
seconds = $(if $(filter command line,$(origin SECONDS)),$(SECONDS),$(1))

soak: build
	@$(if $(NODES),python3 Tests/Soak/nodes $(BUILD) $(FAULTS),python3 Tests/Soak/run $(BUILD) $(call seconds,480))

conformance: build
	@sh scripts/conformance $(BUILD)

NAME ?= feed
fuzz: deps
	@sh fuzz/run $(NAME) $(call seconds,60)

fuzz-all: deps
	@sh fuzz/all $(call seconds,300)

# Does not build: root may have no Swift, and would leave files that you cannot write.
install:
	@test -x $(BUILD) || { echo "There is no $(BUILD) yet: run 'make build' first, as yourself." >&2; exit 1; }
	@sh scripts/install $(BUILD) "$(DESTDIR)" "$(PREFIX)"

uninstall:
	@sh scripts/install --remove "$(DESTDIR)" "$(PREFIX)"

deb: build
	@sh scripts/deb $(BUILD)

repository: deb
	@KEY='$(KEY)' sh scripts/repository repository newsd*_*.deb

image: deb
	@BASE='$(BASE)' sh scripts/image "$$(ls -t newsd_*.deb | head -n 1)"

test-image: deb
	@sh Tests/Packaging/image "$$(ls -t newsd_*.deb | head -n 1)"

tarball: build
	@sh scripts/tarball $(BUILD) "$$(uname -m)"

# The folder is outside the tree: SwiftPM reads all below .build.
FOLDER ?= $(or $(XDG_CACHE_HOME),$(HOME)/.cache)/newsd-arm64
arm64: deps
	@sh scripts/arm64 '$(FOLDER)'

reproducible: deps
	@sh scripts/reproducible

rpm: build
	@sh scripts/rpm $(BUILD)

test-package: build
	@sh Tests/Packaging/run $(BUILD)

clean:
	rm -rf .build .newsd
