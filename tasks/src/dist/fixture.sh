#!/bin/sh
# Stands for the program that is packed.
case $1 in
--version) echo "crd-channels 1.2.3" ;;
completions) echo "for $2" ;;
man) mkdir -p "$3" && echo "a page" >"$3/crd-channels.1" && echo "another" >"$3/crd-channels-check.1" ;;
esac
