#!/bin/sh
# Makes the keystores next to this script, with OpenSSL 3, keytool (Java) and pk12util (NSS). Their password is "secret", and their certificates
# end in 2125, except that of expired.p12.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
rm -f "$here"/*.p12 "$here"/*.jks
work=$(mktemp -d)
cd "$work"

hosts='subjectAltName=DNS:connector.example.com,DNS:*.desk.example.com,IP:192.0.2.7'
certify() { # name, key file, subject, more options
  name=$1 key=$2 subject=$3
  shift 3
  openssl req -x509 -new -key "$key" -subj "$subject" -days 36500 -out "$name.pem" "$@" 2>/dev/null
}
pack() { # name, key file, certificate, more options
  name=$1 key=$2 certificate=$3
  shift 3
  openssl pkcs12 -export -inkey "$key" -in "$certificate" -passout pass:secret -out "$here/$name.p12" "$@"
}

openssl genrsa -out rsa.key 2048 2>/dev/null
openssl genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256 -out ec.key
certify rsa rsa.key '/O=Cardwire tests/CN=connector.example.com' -addext "$hosts" -addext extendedKeyUsage=serverAuth
certify ec ec.key '/O=Cardwire tests/CN=connector.example.com' -addext "$hosts"
certify other ec.key '/CN=other.example.com' -addext subjectAltName=DNS:other.example.com
certify clients ec.key '/CN=clients.example.com' -addext subjectAltName=DNS:clients.example.com -addext extendedKeyUsage=clientAuth
certify nameless ec.key '/CN=connector.example.com'

pack openssl-3 rsa.key rsa.pem
pack openssl-legacy rsa.key rsa.pem -legacy
pack triple-des rsa.key rsa.pem -legacy -descert -iter 2000 -macalg sha1 -keysig
pack aes-192 ec.key ec.pem -certpbe AES-128-CBC -keypbe AES-192-CBC -macalg sha512
pack rc2-128 ec.key ec.pem -legacy -certpbe PBE-SHA1-RC2-128 -keypbe PBE-SHA1-2DES
# Opens with any password.
pack open ec.key ec.pem -nomac -certpbe NONE -keypbe NONE
pack open-other ec.key other.pem -nomac -certpbe NONE -keypbe NONE
pack no-key rsa.key rsa.pem -nokeys
pack clients ec.key clients.pem
pack nameless ec.key nameless.pem
pack slow ec.key ec.pem -iter 10000001
faketime '2020-01-01' openssl req -x509 -new -key ec.key -subj /CN=connector.example.com -days 365 -addext "$hosts" -out expired.pem 2>/dev/null
pack expired ec.key expired.pem

java='-genkeypair -keyalg RSA -keysize 2048 -alias connector -dname CN=connector.example.com -ext san=dns:connector.example.com -validity 36500 -storepass secret -keypass secret'
keytool $java -storetype PKCS12 -keystore "$here/keytool.p12" 2>/dev/null
keytool $java -storetype JKS -keystore "$here/keytool.jks" 2>/dev/null

mkdir nss
certutil -N -d sql:nss --empty-password
pk12util -i "$here/openssl-3.p12" -d sql:nss -W secret >/dev/null
pk12util -o "$here/nss.p12" -n "$(certutil -L -d sql:nss | sed -n '5s/ *u,u,u$//p')" -d sql:nss -W secret >/dev/null
rm -rf "$work"
