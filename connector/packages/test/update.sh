# An update from one package to the next through a real service, as a user with sudo. In /packages: old. In /service: the
# service, and a folder for each way in which it serves something else than was released.
begin alice
session start alice
echo 'alice ALL=(root) NOPASSWD: ALL' >/etc/sudoers.d/alice
start_service
install -D -m 0644 /service/cardwire.conf /etc/cardwire/cardwire.conf
dpkg -i /packages/old.deb >/results/dpkg.log 2>&1
wait_for 20 answers
fact before.runs "$(tells wait_for 20 agent_ready alice) $(agent_version alice)"

# With a terminal, in which sudo could ask.
update() {
  runuser --login alice --command "script --quiet --return --command 'cardwire update $1' /dev/null" >"/results/$2" </dev/null 2>&1
}
running() { echo "$(registry_pid) $(agent_pid alice)"; }

update --dry-run dry-run
fact dry.status $?
fact dry.says "$(tells grep -q 'would install it with this command.*apt-get' /results/dry-run)"

# serve FOLDER: from now on the service sends these files.
serve() { cp "/service/$1/"* /service/packages/; }
# refused FOLDER REASON
refused() {
  before=$(running)
  serve "$1"
  update --yes "$1"
  fact "$1.status" $?
  fact "$1.says" "$(tells grep -q "$2" "/results/$1")"
  fact "$1.keepsRunning" "$([ "$(running)" = "$before" ] && echo yes || echo no) $(tells answers) $(agent_version alice)"
  fact "$1.left" "$(find /tmp /var/cache -maxdepth 1 -name 'cardwire-*' | tr '\n' ' ')"
  serve released
}
refused wrong-digest 'its SHA-256 is'
refused wrong-signature 'no key of the releases has signed the manifest'
refused other-machine 'it is for UNIX, arm64'
administer PUT /v3/versions /service/own.json
refused own-manifest 'no key of the releases has signed the manifest'
administer PUT /v3/versions /service/own-withdrawn.json

# Another program of alice exchanges the file once it was checked, before root reads it.
mkdir /home/alice/other
printf '#!/bin/sh\nfor word; do case $word in */cardwire-installer.deb) echo more >>"$word" ;; esac; done\nexec /usr/bin/sudo "$@"\n' >/home/alice/other/sudo
chmod 755 /home/alice/other/sudo
before=$(running)
runuser --login alice --command "PATH=/home/alice/other:/usr/bin:/bin script --quiet --return --command 'cardwire update --yes' /dev/null" >/results/exchanged </dev/null 2>&1
fact exchanged.status $?
fact exchanged.says "$(tells grep -q 'Cannot install it: its SHA-256 is' /results/exchanged)"
fact exchanged.keepsRunning "$([ "$(running)" = "$before" ] && echo yes || echo no) $(tells answers) $(agent_version alice)"

kept=$(digests)
begin_gap /results/gap
update --yes update
fact update.status $?
fact update.gap "$(end_gap /results/gap)"
fact update.says "$(tells grep -q 'Version 900.0.1 is installed' /results/update)"
fact update.runs "$(tells wait_for 20 agent_ready alice) $(agent_version alice) $("/proc/$(registry_pid)/exe" --version)"
fact update.package "$(dpkg-query -W -f '${Status} ${Version}' cardwire)"
fact update.kept "$([ "$(digests)" = "$kept" ] && echo yes || echo no)"
fact update.left "$(find /tmp /var/cache -maxdepth 1 -name 'cardwire-*' | tr '\n' ' ')"
update --check after
fact after.status $?

# The window of a connector that systemd started: its button is pressed, and the system asks nobody.
printf '#!/bin/sh\nprintf "%%s\\n" "$*" >>/tmp/windows\n' >/usr/local/bin/zenity
printf '#!/bin/sh\nexec sudo -n -- "$@"\n' >/usr/local/bin/pkexec
chmod 755 /usr/local/bin/zenity /usr/local/bin/pkexec
systemctl --user -M alice@.host set-environment DISPLAY=:7
dpkg -i /packages/old.deb >>/results/dpkg.log 2>&1
wait_for 20 agent_ready alice
fact window.before "$(agent_version alice)"
runuser --login alice --command 'cardwire sync' >/results/sync 2>&1
told() { grep -q 'Version 900.0.1 is installed' /tmp/windows; }
fact window.says "$(tells wait_for 60 told)"
fact window.runs "$(tells wait_for 20 agent_ready alice) $(agent_version alice) $("/proc/$(registry_pid)/exe" --version)"
fact window.package "$(dpkg-query -W -f '${Status} ${Version}' cardwire)"
cp /tmp/windows /results/windows
fact done yes
