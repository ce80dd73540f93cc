set -eu
program=@PROGRAM@
agent=@AGENT@
registry=@REGISTRY@
account=@ACCOUNT@
state='@STATE@'
agent_plist=/Library/LaunchAgents/$agent.plist
registry_plist=/Library/LaunchDaemons/$registry.plist

# The numbers of everybody who has a desktop now.
with_session() {
  ps -axo uid=,comm= | awk '$2 ~ /\/Dock$/ { print $1 }' | sort -nu
}

# as_person UID COMMAND...: as that person, in that person's session where there is one.
as_person() {
  uid=$1
  shift
  launchctl asuser "$uid" sudo -u "#$uid" -H "$@" </dev/null
}

# Ends the processes of the installed program, first in order, then at once.
stop_processes() {
  launchctl bootout "system/$registry" 2>/dev/null || true
  for uid in $(with_session); do
    launchctl bootout "gui/$uid/$agent" 2>/dev/null || true
  done
  pkill -TERM -f "^$program" || return 0
  tenths=100
  while pgrep -qf "^$program" && [ "$tenths" -gt 0 ]; do
    sleep 0.1
    tenths=$((tenths - 1))
  done
  pkill -KILL -f "^$program" || true
}
