# Administrators who are not root write in the folder of applications: they could put a link in the place of what root writes or
# removes there. So both happen where only root writes, and a rename follows no link at its end.
place_application() {
  fresh=$(mktemp -d "$home/application.XXXXXX")
  if ditto "$bundle" "$fresh/${application##*/}"; then
    take_application "$fresh"
    mv -f "$fresh/${application##*/}" "${application%/*}/" || true
  fi
  rm -rf "$fresh"
}

make_account() {
  if dscl . -read "/Users/$account" >/dev/null 2>&1; then return 0; fi
  # A free number among those of the system's own accounts.
  number=$(dscl . -list /Users UniqueID | awk '
    { taken[$2] = 1 } END { for (id = 499; id > 400; id--) if (!taken[id]) { print id; exit } }')
  for kind in Groups Users; do
    dscl . -create "/$kind/$account"
    dscl . -create "/$kind/$account" PrimaryGroupID "$number"
    dscl . -create "/$kind/$account" RealName 'Cardwire registry'
  done
  dscl . -create "/Users/$account" UniqueID "$number"
  dscl . -create "/Users/$account" UserShell /usr/bin/false
  dscl . -create "/Users/$account" NFSHomeDirectory "$state"
  dscl . -create "/Users/$account" IsHidden 1
}

# For terminals. The folder keeps its owner and its mode, and a user's own file of that name stays.
link_program() {
  folder=$(dirname "$link")
  parent=$(dirname "$folder")
  [ -d "$parent" ] || mkdir -p "$parent"
  [ -d "$folder" ] || as_owner "$parent" mkdir "$folder"
  if is_own_link; then as_owner "$folder" ln -sfn "$program" "$link"; fi
}

place_application || true
link_program || true
make_account
install -d -m 0755 -o "$account" -g "$account" "$state"
launchctl bootstrap system "$registry_plist" || true
for uid in $(with_session); do
  # macOS asks this user whether the browsers may trust it.
  as_user "$uid" "$program" certs install || true
  launchctl bootstrap "gui/$uid" "$agent_plist" || true
done
if launchctl print "system/$registry" >/dev/null 2>&1; then
  "$program" registry trust || echo "This Mac does not trust the registry yet: run sudo $program registry trust" >&2
fi
