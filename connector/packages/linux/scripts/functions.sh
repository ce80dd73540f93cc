program=/usr/lib/cardwire/cardwire
registry=cardwire-registry.service
agent=cardwire.service
account=cardwire-registry
state=/var/lib/cardwire
# What runs again after an upgrade: root's, and gone with the next boot.
resume=/run/cardwire-resume
stop_seconds=10
was_disabled=no

booted() {
  [ -d /run/systemd/system ]
}

# become UID GID OPTIONS... COMMAND: within a time that root measures, and with nothing of root's environment, which that
# user could read of the process.
become() {
  uid=$1
  gid=$2
  shift 2
  timeout --kill-after=5 20 setsid --wait env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin \
    setpriv --reuid="$uid" --regid="$gid" --init-groups --inh-caps=-all "$@"
}

# as_user UID COMMAND...: as that user, without the terminal of whoever installs.
as_user() {
  user=$1
  shift
  entry=$(getent passwd "$user") || return 0
  home=$(echo "$entry" | cut -d: -f6)
  become "$user" "$(echo "$entry" | cut -d: -f4)" --no-new-privs \
    env --chdir=/ HOME="$home" XDG_RUNTIME_DIR="/run/user/$user" \
    "$@" </dev/null >/dev/null 2>&1
}

# The numbers of all users: those of the directory, and of the homes that are here.
list_uids() {
  {
    getent passwd | cut -d: -f3
    stat --format=%u /home/* 2>/dev/null || true
    with_session
  } | sort -nu | while read -r uid; do
    if [ "$uid" -ge 1000 ] && [ "$uid" -ne 65534 ]; then echo "$uid"; fi
  done
}

# Those whose systemd runs.
with_session() {
  for folder in /run/user/[0-9]*; do
    if [ -e "$folder/systemd" ]; then echo "${folder##*/}"; fi
  done
}

# The processes of the installed program, each by its number; not those that have started this very installation.
processes() {
  for link in /proc/[0-9]*/exe; do
    if [ "$link" -ef "$program" ]; then
      link=${link%/exe}
      case $(first_argument "${link#/proc/}") in
        update | install-update) ;;
        *) echo "${link#/proc/}" ;;
      esac
    fi
  done
}

first_argument() {
  # It may have ended: the shell would name the file that is not there.
  tr '\0' '\n' 2>/dev/null <"/proc/$1/cmdline" | sed -n 2p
}

# A unit that starts is "activating", which is-active calls no.
# shellcheck disable=SC2016 # The shell that runs it has these arguments.
is_up='case $(systemctl "$0" show --property=ActiveState --value "$1") in active | activating | reloading) ;; *) exit 1 ;; esac'

# Remembers what runs and is to run again, unless it is remembered already.
remember() {
  install -d -m 0700 "$resume"
  if booted && sh -c "$is_up" --system "$registry"; then : >"$resume/registry"; fi
  for uid in $(with_session); do
    if as_user "$uid" sh -c "$is_up" --user "$agent"; then : >"$resume/$uid.unit"; fi
  done
  for pid in $(processes); do
    uid=$(stat --format=%u "/proc/$pid" 2>/dev/null) || continue
    case $(first_argument "$pid") in
      run | api) ;;
      *) continue ;;
    esac
    if [ "$uid" -ne 0 ] && [ ! -e "$resume/$uid.unit" ] && [ ! -e "$resume/$uid.environ" ]; then
      cat "/proc/$pid/environ" >"$resume/$uid.environ" || rm -f "$resume/$uid.environ"
    fi
  done
}

# Ends every process of the program: by systemd where that would start it again, then TERM, then KILL.
stop_processes() {
  for uid in $(with_session); do
    as_user "$uid" systemctl --user stop "$agent" || true
  done
  # The last one: pages notice its absence.
  if booted; then systemctl stop "$registry" 2>/dev/null || true; fi
  signal_processes TERM
  tenths=$((stop_seconds * 10))
  while [ -n "$(processes)" ] && [ "$tenths" -gt 0 ]; do
    sleep 0.1
    tenths=$((tenths - 1))
  done
  signal_processes KILL
}

signal_processes() {
  for pid in $(processes); do
    kill -s "$1" "$pid" 2>/dev/null || true
    # A process that is stopped ends only when it goes on.
    kill -s CONT "$pid" 2>/dev/null || true
  done
}

# Starts what was remembered.
start_remembered() {
  if [ -e "$resume/registry" ]; then systemctl restart "$registry" || true; fi
  for file in "$resume"/*.unit; do
    [ -e "$file" ] || continue
    uid=${file##*/}
    uid=${uid%.unit}
    as_user "$uid" systemctl --user daemon-reload || true
    as_user "$uid" systemctl --user start --no-block "$agent" || true
  done
  for file in "$resume"/*.environ; do
    [ -e "$file" ] || continue
    uid=${file##*/}
    start_with_environment "${uid%.environ}" "$file"
  done
  rm -rf "$resume"
}

# A connector without a unit, with the environment of its session. It may start programs that gain rights: a browser's sandbox.
start_with_environment() {
  entry=$(getent passwd "$1") || return 0
  # shellcheck disable=SC2016 # The inner shell has these arguments.
  become "$1" "$(echo "$entry" | cut -d: -f4)" \
    xargs --null --no-run-if-empty --exit sh -c 'env --chdir=/ -i "$@" '"$program"' run &' sh \
    <"$2" >/dev/null 2>&1 || true
}

# The connector of everybody who has a desktop now: the next session starts it by itself.
start_in_sessions() {
  for uid in $(with_session); do
    as_user "$uid" systemctl --user daemon-reload || continue
    if as_user "$uid" systemctl --user is-active graphical-session.target &&
      as_user "$uid" systemctl --user is-enabled "$agent"; then
      as_user "$uid" systemctl --user start --no-block "$agent" || true
    fi
  done
}

make_account() {
  getent passwd "$account" >/dev/null || useradd --system --user-group --no-create-home \
    --home-dir "$state" --shell /usr/sbin/nologin "$account"
}

# A registry that "cardwire registry install" made: its unit would hide that of the package. Its state and root stay.
take_over() {
  unit=/etc/systemd/system/$registry
  if [ -L "$unit" ] || ! grep -q "CARDWIRE_MACHINE_DIR=$state\"" "$unit" 2>/dev/null; then return 0; fi
  if booted && ! systemctl --quiet is-enabled "$registry"; then was_disabled=yes; fi
  rm -f "$unit" "/etc/systemd/system/multi-user.target.wants/$registry"
}

# The machine trusts the root of its registry; without one each user's registry has a root of that user.
trust_registry() {
  if booted && systemctl --quiet is-active "$registry"; then
    "$program" registry trust || echo "The machine does not trust the registry yet: run $program registry trust" >&2
  fi
}

# While the program is there: it knows the trust stores.
untrust() {
  "$program" registry untrust || true
  for uid in $(list_uids); do
    # shellcheck disable=SC2016 # The inner shell has this argument.
    as_user "$uid" sh -c '[ ! -d ~/.local/share/cardwire/certificates ] || exec "$0" certs untrust' "$program" || true
  done
}

# The runtime of each user goes as that user, so that a link leads nobody to what is not theirs; and through no link.
remove_runtimes() {
  for uid in $(list_uids); do
    # shellcheck disable=SC2016 # The inner shell has these variables.
    as_user "$uid" sh -c '
      path=$HOME
      for name in .local state cardwire; do
        path=$path/$name
        if [ -L "$path" ] || [ ! -d "$path" ]; then exit 0; fi
      done
      cd -P "$path" && rm -rf runtime logs && cd .. && rmdir cardwire' || true
  done
}

# Everything but the certificates, which belong to no package, and the account that owns them.
remove_state() {
  if [ -d "$state" ] && [ ! -L "$state" ]; then
    find "$state" -xdev -mindepth 1 -maxdepth 1 ! -name certificates -exec rm -rf {} +
    rmdir "$state" 2>/dev/null || true
  fi
  rm -f /etc/cardwire/cardwire.conf /etc/cardwire/registry.conf /etc/cardwire/installed.conf
  rmdir /etc/cardwire 2>/dev/null || true
}
