set -eu
# sudo of macOS keeps that of the user, whose folders may be first.
PATH=/usr/bin:/bin:/usr/sbin:/sbin
export PATH
program=@PROGRAM@
agent=@AGENT@
registry=@REGISTRY@
account=@ACCOUNT@
state='@STATE@'
agent_plist=/Library/LaunchAgents/$agent.plist
registry_plist=/Library/LaunchDaemons/$registry.plist
link=@LINK@
home=@HOME@
bundle=@APPLICATION_BUNDLE@
application=@APPLICATION_COPY@

# The numbers of everybody who has a desktop now.
with_session() {
  ps -axo uid=,comm= | awk '$2 ~ /\/Dock$/ { print $1 }' | sort -nu
}

# as_user UID COMMAND...: as that user, in that user's session where there is one.
as_user() {
  uid=$1
  shift
  launchctl asuser "$uid" sudo -u "#$uid" -H "$@" </dev/null
}

# The processes of the installed program; not those that have started this very installation.
processes() {
  ps -axww -o pid= -o args= | awk -v program="$program" \
    '$2 == program && $3 != "update" && $3 != "install-update" { print $1 }'
}

signal_processes() {
  for pid in $(processes); do
    kill -s "$1" "$pid" 2>/dev/null || true
  done
}

# Ends these processes, first in order, then at once.
stop_processes() {
  launchctl bootout "system/$registry" 2>/dev/null || true
  for uid in $(with_session); do
    launchctl bootout "gui/$uid/$agent" 2>/dev/null || true
  done
  signal_processes TERM
  tenths=100
  while [ -n "$(processes)" ] && [ "$tenths" -gt 0 ]; do
    sleep 0.1
    tenths=$((tenths - 1))
  done
  signal_processes KILL
}

# as_owner FOLDER COMMAND...: as the account that owns it, the folder around it or, if it is a link, what that leads to: a user among
# them could lead root elsewhere.
as_owner() {
  owner=0
  for place in "$(dirname "$1")" "$1" "$1/."; do
    # shellcheck disable=SC2012 # The numbers of stat(1) need other options on each system.
    number=$(ls -ldn "$place" | awk '{ print $3 }')
    if [ "$number" -ne 0 ]; then owner=$number; fi
  done
  shift
  sudo -u "#$owner" "$@"
}

# take_application FOLDER: moves it out of the folder of applications, whatever has that name there, to be removed where only root
# writes.
take_application() {
  if [ -e "$application" ] || [ -L "$application" ]; then mv -f "$application" "$1/removed"; fi
}

# Whether the name is free, or that of a link to this program; earlier packages made a relative one.
is_own_link() {
  if [ ! -L "$link" ]; then
    [ ! -e "$link" ]
    return
  fi
  case $(readlink "$link") in
    "$program" | "../../..$program") ;;
    *) return 1 ;;
  esac
}
