#!/usr/bin/env bash
# Makes a Wine prefix in which programs run that Bun compiled for Windows: setup.sh PREFIX
# Installs Wine and the MinGW compiler from Debian where they are missing, which takes root and some minutes.
set -euo pipefail

prefix=${1:?Usage: setup.sh PREFIX}
wine=/usr/lib/wine/wine64
compiler=x86_64-w64-mingw32-gcc

if ! [ -x "$wine" ] || ! command -v "$compiler" >/dev/null; then
  # Without recommendations: programs without a window need neither fonts nor sound.
  apt-get update -qq
  DEBIAN_FRONTEND=noninteractive apt-get install -qq -y --no-install-recommends wine wine64 gcc-mingw-w64-x86-64 >&2
fi

export WINEPREFIX=$prefix WINEDEBUG=-all
# Wine asks for its own .NET and HTML packages otherwise, in a dialog.
export WINEDLLOVERRIDES='mscoree,mshtml='
mkdir -p "$prefix"
timeout 120 "$wine" wineboot --init >&2
[ -d "$prefix/drive_c/windows/system32" ] || { echo "Cannot make a Wine prefix in $prefix" >&2; exit 1; }

# Bun takes random bytes from ProcessPrng of bcryptprimitives.dll, which Wine 8 does not have; RtlGenRandom, which it
# has under the name SystemFunction036, gives the same.
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cat >"$work/bcryptprimitives.c" <<'C'
#include <windows.h>
BOOLEAN NTAPI SystemFunction036(PVOID bytes, ULONG count);
__declspec(dllexport) BOOL WINAPI ProcessPrng(PBYTE bytes, SIZE_T count) {
  return SystemFunction036(bytes, (ULONG)count);
}
C
"$compiler" -shared -o "$prefix/drive_c/windows/system32/bcryptprimitives.dll" "$work/bcryptprimitives.c" -ladvapi32

# The registry is in files when Wine has ended, and not before: a copy without them would be set up again.
"$(dirname "$wine")/wineserver64" --kill || true
"$(dirname "$wine")/wineserver64" --wait
[ -f "$prefix/system.reg" ] || { echo "Wine did not save the registry of $prefix" >&2; exit 1; }
# It names the server that has ended.
rm -f "$prefix/wineserver"
