# Three nodes in a machine that boots, by the commands of docs/deploy.md in /steps. In /packages: the package, and one of another
# version, by their names in the document.
export DEBIAN_FRONTEND=noninteractive
# Who installs says yes.
echo 'APT::Get::Assume-Yes "true";' >/etc/apt/apt.conf.d/yes
password=the-first-administrators-password
systemctl start multi-user.target
ip link set lo up
echo 127.0.0.1 ds.example "$(hostname)" >>/etc/hosts
openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -noenc -subj /CN=ds.example -addext subjectAltName=DNS:ds.example \
  -keyout /etc/ssl/private/ds.example.key -out /etc/ssl/certs/ds.example.pem 2>/dev/null
cp /etc/ssl/certs/ds.example.pem /usr/local/share/ca-certificates/ds.example.crt
update-ca-certificates >/dev/null 2>&1

# step NAME: the commands of the document, from the folder with the packages; the fact is their exit status.
step() {
  (cd /packages && sh -eux "/steps/$1") >>"/results/$1.log" 2>&1
  fact "$1" $?
}
log_in() {
  curl -fsS https://ds.example/auth/realms/cardwire/protocol/openid-connect/token -d client_id=cardwire -d grant_type=password \
    -d username=admin -d "password=$password" | sed 's/.*"access_token":"\([^"]*\)".*/\1/'
}
token=
put_organization() {
  curl -s --max-time 10 -o /dev/null -w '%{http_code}' -X PUT https://ds.example/v3/organizations -H "Authorization: Bearer $token" \
    -H 'Content-Type: application/json' -d "{\"name\":\"$1\"}"
}
names() { (cd / && sudo -u postgres psql -d cardwire -Atc 'select name from organizations') | sort; }
has() { if names | grep -qx "$1"; then echo yes; else echo no; fi; }
healthy() { for port in 8081 8082 8083; do curl -fsS -o /dev/null "http://127.0.0.1:$port/health" || return 1; done; }
written() { [ "$(cat /results/*."$1" | wc -l)" -ge "$2" ]; }

# begin_writing NAME: four writers at once, through nginx, until end_writing.
begin_writing() {
  token=$(log_in)
  rm -f /run/enough
  for writer in 1 2 3 4; do
    (
      count=0
      while [ ! -e /run/enough ]; do
        count=$((count + 1))
        echo "$(put_organization "$1 $writer $count") $1 $writer $count"
      done >"/results/$writer.$1"
    ) &
  done
  wait_for 30 written "$1" 100
}
# end_writing NAME: how many were answered with success; with something else; and of the former, how many are not stored.
end_writing() {
  seen=$(cat /results/*."$1" | wc -l)
  wait_for 60 written "$1" $((seen + 100))
  touch /run/enough
  wait
  cat /results/*."$1" | grep '^2' | cut -d' ' -f2- | sort >"/results/acknowledged-$1"
  names >"/results/stored-$1"
  fact "$1.acknowledged" "$(wc -l <"/results/acknowledged-$1")"
  fact "$1.failed" "$(cat /results/*."$1" | grep -vc '^2')"
  fact "$1.lost" "$(comm -23 "/results/acknowledged-$1" "/results/stored-$1" | wc -l)"
}

step install
step database
step settings
fact settings.mode "$(stat -c '%U:%G %a' /etc/cardwire-ds/settings.env)"
echo "$password" >/run/password
step administrator </run/password
step nodes
step proxy
fact login "$([ -n "$(log_in)" ] && echo yes)"

pid() { systemctl show -p MainPID --value cardwire-ds@8082; }
before=$(pid)
begin_writing kill
step kill
end_writing kill
returned() { [ "$(pid)" != 0 ] && [ "$(pid)" != "$before" ] && healthy; }
fact killed.returns "$(tells wait_for 20 returned)"

step dump
fact dump.mode "$(stat -c '%U %a' /var/backups/cardwire-ds/*.dump)"
token=$(log_in)
put_organization 'after the dump' >/dev/null
dump=$(basename /var/backups/cardwire-ds/*.dump)
sed -i "s/20260101T000000Z.dump/$dump/" /steps/restore
step restore
fact restore.healthy "$(tells wait_for 60 healthy)"
fact restore.has "$(has 'kill 1 1') $(has 'after the dump')"

begin_writing upgrade
step upgrade
end_writing upgrade
fact upgrade.version "$(dpkg-query -f '${Version}' -W cardwire-ds)"
fact upgrade.says "$(grep -c 'Restart the nodes one after the other.*cardwire-ds@8081.service cardwire-ds@8082.service cardwire-ds@8083.service' /results/upgrade.log)"

step archive
fact archive.healthy "$(tells wait_for 60 healthy)"
token=$(log_in)
put_organization 'before the mistake' >/dev/null
# The target of a recovery is compared with the times of commits.
sleep 1
sed -i "s/2026-01-01 12:00:00+00/$(date -u '+%F %T.%N+00')/" /steps/recover
sleep 1
put_organization 'the mistake' >/dev/null
step recover
fact recover.healthy "$(tells wait_for 60 healthy)"
fact recover.has "$(has 'before the mistake') $(has 'the mistake')"

apt-get -y purge cardwire-ds >/results/purge.log 2>&1
fact purge $?
fact purge.leaves "$(systemctl list-units --plain --no-legend --state=active 'cardwire-ds@*' | wc -l) $(find /etc/systemd/system -name 'cardwire-ds@*' | wc -l)"
journalctl --no-pager >/results/journal
fact password.seen "$(grep -c "$password" /results/journal)"
fact "done" yes
