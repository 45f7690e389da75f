#!/bin/sh
# Installs crd-channels @VERSION@: downloads the archive for this machine, refuses it unless it is the one that was published, and
# puts two programs into a folder.
#
#   curl --proto '=https' --tlsv1.2 -fsSL @RELEASES@/latest/download/install.sh | sh
#
# CRD_CHANNELS_BIN        the folder; by default $HOME/.local/bin
# CRD_CHANNELS_DOWNLOADS  where the archives are, such as a mirror; by default @RELEASES@/download
set -eu

version=@VERSION@

# The archive of each platform and its digest, as `uname -s` and `uname -m` name it.
platform() {
  suffix=
  case $1 in
  MINGW* | MSYS*) suffix=.exe ;;
  esac
  case $1 in
@PLATFORMS@
  *) fail "there is no archive for $1: build it with cargo install --locked --git @REPOSITORY@ crd-channels" ;;
  esac
}

fail() {
  echo "error: $1" >&2
  exit 1
}

download() {
  if command -v curl >/dev/null; then
    curl --fail --silent --show-error --location --output "$2" "$1"
  elif command -v wget >/dev/null; then
    wget --quiet --output-document "$2" "$1"
  else
    fail "curl or wget is needed"
  fi
}

digest() {
  if command -v sha256sum >/dev/null; then
    sha256sum "$1" | cut -d ' ' -f 1
  else
    shasum --algorithm 256 "$1" | cut -d ' ' -f 1
  fi
}

# A function, so that nothing runs if the download of this script ends too early.
install_all() {
  platform "$(uname -s)-$(uname -m)"
  folder=${CRD_CHANNELS_BIN:-$HOME/.local/bin}
  url=${CRD_CHANNELS_DOWNLOADS:-@RELEASES@/download}/@TAG@/$archive
  work=$(mktemp -d)
  trap 'rm -rf "$work"' EXIT
  download "$url" "$work/$archive" || fail "$url cannot be downloaded"
  found=$(digest "$work/$archive")
  [ "$found" = "$sha256" ] ||
    fail "$url is not what was published: its SHA-256 is $found instead of $sha256. Nothing was installed"
  tar -xzf "$work/$archive" -C "$work"
  mkdir -p "$folder"
  for program in crd-channels$suffix cargo-crd-channels$suffix; do
    # A file that runs cannot be overwritten, but another can take its name.
    cp "$work/$program" "$folder/.$program.new"
    mv -f "$folder/.$program.new" "$folder/$program"
  done
  echo "installed crd-channels $version in $folder" >&2
  case :$PATH: in
  *":$folder:"*) ;;
  *) echo "help: add $folder to your PATH" >&2 ;;
  esac
}

install_all
