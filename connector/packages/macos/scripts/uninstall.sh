# Removes Cardwire from this Mac. The certificates stay: they belong to no package.
if [ "$(id -u)" -ne 0 ]; then
  echo "Cannot uninstall: run this as an administrator: sudo $0" >&2
  exit 1
fi

# As that user, so that a link leads nobody to what is not theirs; and through no link.
remove_runtime() {
  # shellcheck disable=SC2016 # The inner shell has these variables.
  as_user "$1" sh -c '
    remove() {
      path=$HOME/Library
      for name in "$1" Cardwire; do
        path=$path/$name
        if [ -L "$path" ] || [ ! -d "$path" ]; then return 0; fi
      done
      cd -P "$path" && rm -rf $2
    }
    (remove "Application Support" Runtime)
    (remove Logs "connector* registry*")' || true
}

stop_processes
"$program" registry untrust || true
dscl . -list /Users UniqueID | awk '$2 >= 500 { print $2 }' | while read -r uid; do
  as_user "$uid" "$program" certs untrust || true
  remove_runtime "$uid"
done
rm -f "$agent_plist" "$registry_plist"
if [ -L "$link" ] && is_own_link; then as_owner "$(dirname "$link")" rm -f "$link" || true; fi
if [ -d "$state" ] && [ ! -L "$state" ]; then
  find "$state" -xdev -mindepth 1 -maxdepth 1 ! -name certificates -exec rm -rf {} +
fi
for package in @PACKAGE@ @PACKAGE@.driver; do
  pkgutil --forget "$package" >/dev/null 2>&1 || true
done
take_application "$home" || true
rm -rf "$home"
