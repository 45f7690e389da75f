# Installs the published archive of crd-channels @VERSION@.
class CrdChannels < Formula
  desc "Generate, release, pin and install CRDs in a stable and an experimental channel"
  homepage "@REPOSITORY@"
  version "@VERSION@"
  license "Apache-2.0"

@PLATFORMS@

  def install
    bin.install "crd-channels", "cargo-crd-channels"
    man1.install Dir["man/*.1"]
    bash_completion.install "completions/crd-channels.bash" => "crd-channels"
    zsh_completion.install "completions/_crd-channels"
    fish_completion.install "completions/crd-channels.fish"
  end

  test do
    assert_match version.to_s, shell_output("#{bin}/crd-channels --version")
  end
end
