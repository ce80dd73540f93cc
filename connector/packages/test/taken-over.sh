# A registry that "cardwire registry install" made, before the package. In /packages: new.deb.
install_package() { dpkg -i /packages/new.deb >>/results/dpkg.log 2>&1; }
registry_state() { echo "$(systemctl is-enabled cardwire-registry.service) $(systemctl is-active cardwire-registry.service)"; }
registry_fact() { systemctl show -p "$1" --value cardwire-registry.service; }
begin alice
mkdir -p /etc/cardwire
echo CARDWIRE_BROWSER_POLICIES=on >/etc/cardwire/cardwire.conf
dpkg-deb --fsys-tarfile /packages/new.deb | tar --extract --to-stdout ./usr/lib/cardwire/cardwire >/usr/local/bin/cardwire
chmod 755 /usr/local/bin/cardwire
/usr/local/bin/cardwire registry install >>/results/dpkg.log 2>&1
fact before.unit "$(registry_fact FragmentPath)"
root=$(digest /var/lib/cardwire/certificates/rootCA-key.pem /var/lib/cardwire/public/rootCA.pem)

install_package
fact running.status $?
fact running.unit "$(registry_fact FragmentPath)"
fact running.program "$(readlink "/proc/$(registry_pid)/exe")"
fact running.state "$(registry_state)"
fact running.answers "$(tells wait_for 20 answers)"
fact running.root "$([ "$(digest /var/lib/cardwire/certificates/rootCA-key.pem /var/lib/cardwire/public/rootCA.pem)" = "$root" ] && echo yes || echo no)"
fact running.policies "$(policies)"

dpkg --purge cardwire >>/results/dpkg.log 2>&1
fact purge.policies "$(policies)"
/usr/local/bin/cardwire registry install >>/results/dpkg.log 2>&1
systemctl disable --now cardwire-registry.service
install_package
fact disabled.unit "$(registry_fact FragmentPath)"
fact disabled.state "$(registry_state)"

# One with a folder of its own is not ours to change.
dpkg --purge cardwire >>/results/dpkg.log 2>&1
CARDWIRE_MACHINE_DIR=/srv/registry /usr/local/bin/cardwire registry install >>/results/dpkg.log 2>&1
install_package
fact elsewhere.unit "$(registry_fact FragmentPath)"
fact elsewhere.state "$(registry_state)"
fact done yes
