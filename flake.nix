{
  description = "CRDs of a stable and an experimental channel: generated, released, pinned and installed";

  inputs.nixpkgs.url = "github:NixOS/nixpkgs/nixpkgs-unstable";

  outputs = { self, nixpkgs }:
    let
      systems = [ "x86_64-linux" "aarch64-linux" "x86_64-darwin" "aarch64-darwin" ];
      each = make: nixpkgs.lib.genAttrs systems (system: make nixpkgs.legacyPackages.${system});
      manifest = builtins.fromTOML (builtins.readFile ./Cargo.toml);
    in
    {
      packages = each (pkgs: {
        default = pkgs.rustPlatform.buildRustPackage {
          pname = "crd-channels";
          version = manifest.workspace.package.version;
          src = self;
          cargoLock.lockFile = ./Cargo.lock;
          cargoBuildFlags = [ "--package" "crd-channels" "--bins" ];
          buildFeatures = [ "oci" ];
          # They start cargo, git and API servers, which a sandbox does not have.
          doCheck = false;
          nativeBuildInputs = [ pkgs.installShellFiles ];
          postInstall = ''
            installShellCompletion --cmd crd-channels \
              --bash <($out/bin/crd-channels completions bash) \
              --fish <($out/bin/crd-channels completions fish) \
              --zsh <($out/bin/crd-channels completions zsh)
            $out/bin/crd-channels man --output man && installManPage man/*
          '';
          meta = {
            description = "Generate, release, pin and install CRDs in a stable and an experimental channel";
            homepage = manifest.workspace.package.repository;
            license = pkgs.lib.licenses.asl20;
            mainProgram = "crd-channels";
          };
        };
      });
    };
}
