# Contributed and untested: parsed and evaluated with a stand-in for nixpkgs, but never built and never run on NixOS.
#
# A package from the tarball of `make tarball`, because nixpkgs has no Swift that compiles newsd, and a module for NixOS:
#   imports = [ (import ./newsd.nix).module ];
#   services.newsd = { enable = true; tarball = ./newsd-0.1.0-linux-x86_64.tar.gz; settings.web.listen = "127.0.0.1:8788"; };
let
  package =
    { lib, stdenv, autoPatchelfHook, makeWrapper, cacert, curl, libxml2, libmicrohttpd, libpsl, openssl, libxcrypt, sqlite, libyaml
    , zlib, brotli, zstd, postgresql, ncurses, fribidi, tarball, version ? "0.1.0" }:
    stdenv.mkDerivation {
      pname = "newsd";
      inherit version;
      src = tarball;
      nativeBuildInputs = [ autoPatchelfHook makeWrapper ];
      buildInputs = [ stdenv.cc.cc.lib sqlite libyaml ];
      installPhase = ''
        install -D -m 755 newsd $out/bin/newsd
        cp -r share $out/share
        # Libraries that newsd loads when it needs them.
        wrapProgram $out/bin/newsd \
          --prefix LD_LIBRARY_PATH : ${lib.makeLibraryPath [
            curl libxml2 libmicrohttpd libpsl openssl libxcrypt zlib brotli zstd postgresql.lib ncurses fribidi
          ]} \
          --set-default SSL_CERT_FILE ${cacert}/etc/ssl/certs/ca-bundle.crt
      '';
      meta = {
        description = "News aggregator for servers and pipelines";
        license = lib.licenses.mit;
        platforms = [ "x86_64-linux" "aarch64-linux" ];
        mainProgram = "newsd";
      };
    };
in
{
  inherit package;

  module = { config, lib, pkgs, ... }:
    let
      options = config.services.newsd;
      newsd = pkgs.callPackage package { inherit (options) tarball; };
      # JSON is YAML.
      file = pkgs.writeText "newsd.yaml" (builtins.toJSON options.settings);
    in
    {
      options.services.newsd = {
        enable = lib.mkEnableOption "newsd, a news aggregator";
        tarball = lib.mkOption {
          type = lib.types.path;
          description = "The archive that `make tarball` made.";
        };
        settings = lib.mkOption {
          type = lib.types.attrs;
          default = { };
          description = "The configuration; see newsd(1). It must contain no secrets: every user of this machine can read it.";
        };
      };
      config = lib.mkIf options.enable {
        environment.systemPackages = [ newsd ];
        systemd.services.newsd = {
          description = "newsd, a news aggregator";
          wantedBy = [ "multi-user.target" ];
          wants = [ "network-online.target" ];
          after = [ "network-online.target" ];
          serviceConfig = {
            Type = "notify";
            ExecStart = "${newsd}/bin/newsd --config ${file} run";
            ExecReload = "${pkgs.coreutils}/bin/kill -HUP $MAINPID";
            DynamicUser = true;
            StateDirectory = "newsd";
            UMask = "0077";
            TimeoutStartSec = "infinity";
            TimeoutStopSec = 20;
            WatchdogSec = 120;
            Restart = "on-failure";
            RestartSec = 30;
            RestartPreventExitStatus = "64 78";
            NoNewPrivileges = true;
            ProtectSystem = "strict";
            ProtectHome = true;
            PrivateTmp = true;
            PrivateDevices = true;
          };
        };
      };
    };
}
