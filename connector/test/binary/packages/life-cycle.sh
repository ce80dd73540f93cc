# The life of the Debian package. In /packages: old, new, and broken, whose preinst fails.
install_package() { dpkg -i "/packages/$1.deb" >>/results/dpkg.log 2>&1; }

begin alice bob
session start alice

# A file of settings that was there before.
mkdir -p /etc/cardwire
echo CARDWIRE_CORS=https://shop.example >/etc/cardwire/cardwire.conf

install_package old </dev/null
fact install.status $?
fact install.answers "$(tells wait_for 20 answers)"
fact install.settings "$(cat /etc/cardwire/cardwire.conf)"
fact install.verified "$(tells dpkg -V cardwire)"
fact install.exposure "$(systemd-analyze security --no-pager cardwire-registry.service | sed -n 's/.*exposure level.*: \([0-9.]*\).*/\1/p')"
fact install.openSession "$(tells wait_for 20 agent_ready alice)"
fact session.none "$(agent_state bob)"
session start bob
fact session.starts "$(tells wait_for 20 agent_ready bob)"
bob_port=$(cat /home/bob/.local/state/cardwire/runtime/api-port)
session stop bob
bob_left() { ! ss -Hltn "sport = :$bob_port" | grep -q .; }
systemctl --user -M bob@.host stop graphical-session.target
fact session.ends "$(tells wait_for 15 bob_left) $(agent_state bob)"
session start bob
wait_for 20 agent_ready bob
wait_for 20 nss_has bob
wait_for 20 nss_has alice
fact session.browsersTrust "$(nss alice) $(nss bob)"

# kill -9
before=$(agent_pid alice)
kill -9 "$before"
fact crash.agent "$(tells wait_for 5 agent_changed alice "$before")"
before=$(registry_pid)
kill -9 "$before"
registry_changed() { [ "$(registry_pid)" != "$before" ] && answers; }
fact crash.registry "$(tells wait_for 5 registry_changed)"
wait_for 20 agent_ready alice

# An end that is an order: the program is another one for a moment.
ordered() {
  mkdir -p /run/systemd/user/cardwire.service.d
  printf '[Service]\nExecStart=\nExecStart=/bin/sh -c "exit %s"\nExecStartPost=\n' "$1" >/run/systemd/user/cardwire.service.d/end.conf
  systemctl --user -M bob@.host daemon-reload
  systemctl --user -M bob@.host restart cardwire.service
  sleep 3
  echo "$(agent_state bob) $(systemctl --user -M bob@.host show -p NRestarts --value cardwire.service)"
}
fact ordered.forbidden "$(ordered 78)"
fact ordered.altered "$(ordered 3)"
rm -r /run/systemd/user/cardwire.service.d
systemctl --user -M bob@.host daemon-reload
systemctl --user -M bob@.host reset-failed cardwire.service
systemctl --user -M bob@.host restart cardwire.service
wait_for 20 agent_ready bob

# Upgrade while everything runs; one agent is stopped by a signal.
kept=$(digests)
kill -STOP "$(agent_pid bob)"
begin_gap /results/gap
from=$(date +%s%N)
install_package new
fact upgrade.status $?
fact upgrade.ms $((($(date +%s%N) - from) / 1000000))
gap=$(end_gap /results/gap)
fact upgrade.agents "$(tells wait_for 20 agent_ready alice) $(tells wait_for 20 agent_ready bob)"
fact upgrade.versions "$(agent_version alice) $(agent_version bob) $("/proc/$(registry_pid)/exe" --version)"
fact upgrade.kept "$([ "$(digests)" = "$kept" ] && echo yes || echo no)"
fact upgrade.gap "$gap"

# An upgrade that fails half-way.
install_package broken
fact failed.status $?
fact failed.runs "$(tells wait_for 20 answers) $(tells wait_for 20 agent_ready alice) $(agent_version alice)"
fact failed.state "$(dpkg-query -W -f '${Status} ${Version}' cardwire)"

# What an administrator disabled stays so.
systemctl disable --now cardwire-registry.service
install_package new
fact disabled.registry "$(systemctl is-enabled cardwire-registry.service) $(systemctl is-active cardwire-registry.service)"
systemctl enable --now cardwire-registry.service
systemctl stop cardwire-registry.service
install_package new
fact stopped.registry "$(systemctl is-enabled cardwire-registry.service) $(systemctl is-active cardwire-registry.service)"
systemctl start cardwire-registry.service
wait_for 20 answers

# A package with the values of a service, then one without.
values() {
  runuser -u "$1" -- cardwire settings | grep -E '^CARDWIRE_(DS_URL|DS_FINGER|INSTALLATION)' | tr -s ' \n' ' '
}
install_package stamped
fact stamped.status $?
fact stamped.file "$(stat -c '%a %U' /etc/cardwire/installed.conf)"
fact stamped.user "$(values alice)"
install_package new
fact stamped.later "$(values alice)"
wait_for 20 answers

# Remove: everything of a user stays, nothing trusts, nothing runs.
cp /var/lib/cardwire/public/rootCA.pem /results/root.pem
kept=$(digests)
dpkg --remove cardwire >>/results/dpkg.log 2>&1
fact remove.status $?
fact remove.program "$(tells test -e /usr/lib/cardwire) $(tells test -e /usr/bin/cardwire)"
fact remove.processes "$(pgrep -c -f cardwire/cardwire)"
fact remove.kept "$([ "$(digests)" = "$kept" ] && echo yes || echo no)"
fact remove.trust "$(tells openssl verify /results/root.pem) $(nss alice) $(nss bob)"
fact remove.settings "$(tells test -e /etc/cardwire/cardwire.conf)"

# Again, then purge, with links that lead elsewhere.
install_package new
fact again.answers "$(tells wait_for 20 answers)"
fact again.kept "$([ "$(digests)" = "$kept" ] && echo yes || echo no)"
mkdir -p /srv/precious/runtime /home/bob/elsewhere/cardwire/runtime
echo keep >/srv/precious/runtime/file
echo keep >/home/bob/elsewhere/cardwire/runtime/file
echo forever >/etc/cardwire/managed.conf
useradd --create-home mallory
mkdir -p /home/mallory/.local/state
ln -s /srv/precious /home/mallory/.local/state/cardwire
chmod -R o+rwx /srv/precious
mv /home/bob/.local/state /home/bob/state-before
ln -s /home/bob/elsewhere /home/bob/.local/state
dpkg --purge cardwire >>/results/dpkg.log 2>&1
fact purge.status $?
fact purge.runtime "$(tells test -e /home/alice/.local/state/cardwire)"
fact purge.certificates "$(tells test -e /home/alice/.local/share/cardwire/certificates/rootCA-key.pem) $(tells test -e /var/lib/cardwire/certificates/rootCA-key.pem)"
fact purge.links "$(cat /srv/precious/runtime/file /home/bob/elsewhere/cardwire/runtime/file | tr '\n' ' ')"
fact purge.settings "$(ls /etc/cardwire)"
fact purge.machine "$(ls /var/lib/cardwire)"
fact purge.units "$(find /etc/systemd /usr/lib/systemd /var/lib/systemd -name '*cardwire*' | tr '\n' ' ')"
fact purge.trust "$(tells openssl verify /results/root.pem)"
fact done yes
