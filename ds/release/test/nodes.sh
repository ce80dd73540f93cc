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

# All nodes with their files in a bucket of Swift, which this Debian has.
bucket_secret=the-secret-key-of-the-bucket
bucket() {
  object=$1
  shift
  curl -fsS --aws-sigv4 aws:amz:us-east-1:s3 -H 'x-amz-content-sha256: UNSIGNED-PAYLOAD' \
    "http://test%3Acardwire:$bucket_secret@127.0.0.1:9000/files$object" "$@"
}
start_bucket() {
  # No child of this shell: `wait` would wait for it.
  (
    python3 /bed/bucket-server.py /srv/swift 9000 test:cardwire "$bucket_secret" >>/results/bucket.log 2>&1 &
    echo $! >/run/bucket.pid
  )
  wait_for 30 curl -fsS http://127.0.0.1:9000/info
}
send() {
  answer=$1
  shift
  curl -s -o "/results/$answer" -w '%{http_code}' -H "Authorization: Bearer $token" "$@"
}
put_installer() {
  installer=$1
  shift
  send "$installer.json" -X PUT -H 'Content-Type: application/octet-stream' --data-binary @/run/installer \
    "http://127.0.0.1:8081/v3/installers/$installer" "$@"
}
path=/v3/downloads/installers/unix/versions/9.0.0
same() { if curl -fsS "$1$path" | cmp -s - /run/installer; then echo same; else echo other; fi; }
start_bucket
bucket '' -X PUT
cat >>/etc/cardwire-ds/settings.env <<END
DS_BUCKET=s3://files/ds?endpoint=http://127.0.0.1:9000
AWS_ACCESS_KEY_ID=test:cardwire
AWS_SECRET_ACCESS_KEY=$bucket_secret
END
systemctl restart cardwire-ds@8081 cardwire-ds@8082 cardwire-ds@8083
fact bucket.healthy "$(tells wait_for 60 healthy)"
token=$(log_in)
head -c 20000000 /dev/urandom >/run/installer
fact bucket.stored "$(put_installer cardwire-9.deb)"
fact bucket.registered "$(send version.json -X PUT -H 'Content-Type: application/json' http://127.0.0.1:8082/v3/versions \
  -d '{"id":"9.0.0","recommended":false,"mandatory":false,"allowed":true,"uris":[{"os":"UNIX","uri":"file:///cardwire-9.deb"}]}')"
fact bucket.served "$(same http://127.0.0.1:8083) $(same http://127.0.0.1:8082) $(same http://127.0.0.1:8081) $(same https://ds.example)"

put_installer cut.deb --limit-rate 2M >/dev/null &
cut=$!
begun() { bucket '?uploads=' | grep -q ds/packages/cut.deb; }
fact bucket.begun "$(tells wait_for 20 begun)"
kill -KILL "$(systemctl show -p MainPID --value cardwire-ds@8081)"
wait "$cut"
wait_for 60 healthy
send list.json http://127.0.0.1:8082/v3/installers >/dev/null
fact bucket.cut "$(if grep -q cut.deb /results/list.json; then echo yes; else echo no; fi)"

bucket_ended() { ! kill -0 "$(cat /run/bucket.pid)"; }
kill "$(cat /run/bucket.pid)"
wait_for 10 bucket_ended
fact bucket.down "$(curl -s -o /results/down.json -w '%{http_code}' "http://127.0.0.1:8082$path") $(sed 's/.*"code":"\([^"]*\)".*/\1/' /results/down.json)"
files() { curl -fsS http://127.0.0.1:8083/health | sed 's/.*"files":"\([^"]*\)".*/\1/'; }
unreachable() { [ "$(files)" = unreachable ]; }
wait_for 90 unreachable
fact bucket.files "$(files)"
fact bucket.kept "$(tells healthy)"
start_bucket
back() { [ "$(same http://127.0.0.1:8082)" = same ]; }
fact bucket.back "$(tells wait_for 30 back)"
journalctl --no-pager >/results/journal
fact bucket.seen "$(grep -c "$bucket_secret" /results/journal)"

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
