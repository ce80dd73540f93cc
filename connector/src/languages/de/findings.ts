/** What the doctor finds, in German. */
import type { Catalog } from '../en/catalog.ts'

export const findings: Catalog['findings'] = {
  'card-service-good': 'Der Smartcard-Dienst reagiert',
  'readers-good': 'Ein Kartenleser ist angeschlossen',
  'root-good': 'Das Stammzertifikat dieses Computers ist gültig',
  'leaf-good': 'Das Zertifikat für localhost, das Websites verwenden, ist gültig',
  'trust-good': 'Ihre Browser vertrauen Cardwire',
  'keystore-good': 'Das Zertifikat Ihrer Organisation, das Websites verwenden, ist gültig',
  'api-good': 'Cardwire reagiert',
  'registry-good': 'Websites können Cardwire finden',
  'registry-port-free': 'Der Port, auf dem Websites Cardwire suchen, ist frei',
  'clipboard-good': 'Cardwire kann die Zwischenablage lesen',
  'service-none': 'Cardwire läuft ohne Organisation, mit den Einstellungen dieses Computers',
  'service-good': 'Der Server Ihrer Organisation antwortet',
  registered: 'Dieser Computer ist registriert',
  synchronized: 'Cardwire ist mit Ihrer Organisation synchronisiert',
  'updates-not-offered': 'Ihre Organisation installiert Updates, deshalb bietet Cardwire keine an',
  'machine-synchronized':
    'Der Cardwire-Dienst dieses Computers ist mit Ihrer Organisation synchronisiert',
  'machine-keystore-good': 'Das Zertifikat des Cardwire-Dienstes dieses Computers ist gültig',
  'card-service-down': 'Der Smartcard-Dienst dieses Computers reagiert nicht',
  'card-service-forbidden': 'Sie dürfen den Smartcard-Dienst dieses Computers nicht verwenden',
  'card-service-missing': 'Dieser Computer hat keinen Smartcard-Dienst',
  'readers-none': 'Es ist kein Kartenleser angeschlossen',
  'root-broken': 'Das Stammzertifikat dieses Computers ist unbrauchbar',
  'leaf-broken': 'Das Zertifikat für localhost, das Websites brauchen, ist unbrauchbar',
  'files-open': 'Andere Benutzer können die privaten Schlüssel von Cardwire lesen',
  'trust-missing': 'Mindestens einer Ihrer Browser vertraut Cardwire noch nicht',
  'trust-none': 'Keiner Ihrer Browser vertraut Cardwire',
  'trust-unreadable': 'Cardwire kann nicht feststellen, ob ein Browser ihm vertraut',
  'keystore-expired': 'Das Zertifikat Ihrer Organisation, das Websites verwenden, ist abgelaufen',
  'keystore-missing': 'Das Zertifikat Ihrer Organisation, das Websites brauchen, fehlt',
  'not-running': 'Cardwire läuft nicht',
  'not-running-no-port': 'Cardwire läuft nicht, und die üblichen Ports sind belegt',
  'not-running-masked': 'Cardwire läuft nicht, weil es deaktiviert wurde',
  'api-silent': 'Cardwire läuft, reagiert aber nicht',
  'registry-down':
    'Websites können Cardwire nicht finden, weil ein Dienst auf diesem Computer nicht läuft',
  'registry-foreign': 'Websites finden auf diesem Computer das Cardwire eines anderen Benutzers',
  'registry-port-taken':
    'Websites können Cardwire nicht finden, weil ein anderes Programm den Port verwendet',
  'clipboard-unreadable':
    'Cardwire kann die Zwischenablage nicht lesen, deshalb können Sie keine Websites zulassen',
  'clock-jumped': 'Die Uhrzeit dieses Computers hat sich sprunghaft geändert',
  'file-damaged': 'Eine beschädigte Cardwire-Datei wurde ersetzt',
  'no-pages-allowed': 'Noch kann keine Website Cardwire verwenden',
  'tokens-off': 'Websites können Cardwire ohne Genehmigung Ihrer Organisation verwenden',
  'token-keys-missing':
    'Cardwire kann nicht prüfen, welche Websites Ihre Organisation genehmigt hat',
  'service-unreachable': 'Der Server Ihrer Organisation antwortet nicht',
  unregistered: 'Dieser Computer ist nicht bei Ihrer Organisation registriert',
  'never-synchronized': 'Cardwire hatte noch nie Kontakt mit Ihrer Organisation',
  'not-synchronized': 'Cardwire kann Ihre Organisation gerade nicht erreichen',
  'policy-ending': 'In einigen Tagen können Websites Cardwire nicht mehr verwenden',
  'policy-expired':
    'Websites können Cardwire nicht verwenden, weil es zu lange keinen Kontakt mit Ihrer Organisation hatte',
  'version-recommended': 'Ihre Organisation empfiehlt eine andere Version',
  'version-forbidden': 'Ihre Organisation lässt diese Version von Cardwire nicht mehr zu',
  'version-unknown': 'Ihre Organisation kennt diese Version von Cardwire nicht',
  'key-missing': 'Der Installationsschlüssel fehlt',
  'key-refused': 'Ihre Organisation akzeptiert den Installationsschlüssel nicht',
  'key-used-up': 'Ihre Organisation hat das Tageslimit für neue Computer erreicht',
  'device-blocked': 'Ihre Organisation hat diesen Computer gesperrt',
  'clock-skewed': 'Die Uhr dieses Computers geht falsch',
  'machine-settings-ignored': 'Einige Cardwire-Einstellungen dieses Computers werden ignoriert',
  'machine-not-synchronized':
    'Der Cardwire-Dienst dieses Computers kann Ihre Organisation nicht erreichen',
  'machine-fault': 'Der Cardwire-Dienst dieses Computers meldet einen Fehler',
  'machine-keystore-expired':
    'Das Zertifikat des Cardwire-Dienstes dieses Computers ist abgelaufen',
  'settings-invalid': 'Cardwire kann nicht starten, weil einige Einstellungen ungültig sind',
  'check-failed': 'Eine Prüfung konnte nicht ausgeführt werden',
  'check-late': 'Eine Prüfung hat zu lange gedauert',
}

/** What the user can do about it. */
export const remedies: Catalog['remedies'] = {
  'card-service-down':
    'Starten Sie den Computer neu. Wenn das nicht hilft, wenden Sie sich an Ihren Administrator.',
  'card-service-forbidden':
    'Melden Sie sich direkt am Computer an, nicht über eine Remoteverbindung. Wenn das nicht hilft, wenden Sie sich an Ihren Administrator.',
  'card-service-missing': 'Bitten Sie Ihren Administrator, ihn zu installieren.',
  'readers-none':
    'Schließen Sie einen Kartenleser an. Wenn er nicht erscheint, fragen Sie Ihren Administrator, ob der Treiber installiert ist.',
  'root-broken':
    'Starten Sie Cardwire. Wenn es schon läuft, melden Sie sich am Computer ab und wieder an. Wenn das nicht hilft, wenden Sie sich an Ihren Administrator.',
  'leaf-broken':
    'Starten Sie Cardwire. Wenn es schon läuft, melden Sie sich am Computer ab und wieder an. Wenn das nicht hilft, wenden Sie sich an Ihren Administrator.',
  'files-open':
    'Starten Sie Cardwire, um sie zu schützen, und informieren Sie Ihren Administrator.',
  'trust-missing':
    'Klicken Sie unten auf die Schaltfläche, schließen Sie den Browser dann vollständig und öffnen Sie ihn wieder.',
  'trust-none':
    'Klicken Sie unten auf die Schaltfläche, schließen Sie den Browser dann vollständig und öffnen Sie ihn wieder.',
  'trust-unreadable': 'Wenden Sie sich an Ihren Administrator. Der Grund steht unten.',
  'keystore-expired': 'Bitten Sie Ihren Administrator um ein neues.',
  'keystore-missing': 'Bitten Sie Ihren Administrator um das Zertifikat.',
  'not-running': 'Klicken Sie oben auf die Schaltfläche, um es zu starten.',
  'not-running-no-port':
    'Klicken Sie oben auf die Schaltfläche, um es auf einem anderen Port zu starten.',
  'not-running-masked':
    'Die Schaltfläche oben kann es nicht starten. Wenden Sie sich an Ihren Administrator.',
  'api-silent': 'Melden Sie sich am Computer ab und wieder an.',
  'registry-down': 'Bitten Sie Ihren Administrator, ihn zu starten.',
  'registry-foreign':
    'Bitten Sie Ihren Administrator, den Cardwire-Dienst auf diesem Computer zu installieren.',
  'registry-port-taken':
    'Wenden Sie sich an Ihren Administrator. Unten steht, welches Programm es ist.',
  'clipboard-unreadable': 'Wenden Sie sich an Ihren Administrator. Der Grund steht unten.',
  'clock-jumped':
    'Stellen Sie die Uhr richtig. Wenn sie schon richtig geht, lassen Sie Cardwire einige Stunden laufen.',
  'file-damaged': 'Bitten Sie Ihren Administrator, den Datenträger zu prüfen.',
  'no-pages-allowed': 'Geben Sie unten die URL und den Schlüssel Ihrer Organisation ein.',
  'tokens-off': 'Wenn Sie das nicht selbst gewählt haben, informieren Sie Ihren Administrator.',
  'token-keys-missing': 'Geben Sie unten die URL und den Schlüssel Ihrer Organisation ein.',
  'service-unreachable':
    'Prüfen Sie Ihr Netzwerk. Wenn es funktioniert, wenden Sie sich an Ihren Administrator.',
  unregistered:
    'Starten Sie Cardwire. Wenn es schon läuft, melden Sie sich am Computer ab und wieder an. Wenn das nicht hilft, wenden Sie sich an Ihren Administrator.',
  'never-synchronized': 'Prüfen Sie Ihr Netzwerk und klicken Sie dann auf „Erneut prüfen“.',
  'not-synchronized':
    'Klicken Sie auf „Erneut prüfen“. Wenn das nicht hilft, wenden Sie sich an Ihren Administrator.',
  'policy-ending': 'Verbinden Sie diesen Computer mit dem Netzwerk Ihrer Organisation.',
  'policy-expired': 'Verbinden Sie diesen Computer mit dem Netzwerk Ihrer Organisation.',
  'version-recommended': 'Siehe „Version“ weiter unten.',
  'version-forbidden': 'Siehe „Version“ weiter unten.',
  'version-unknown':
    'Bitten Sie Ihren Administrator, sie zu registrieren oder Ihnen eine andere Version zu geben.',
  'key-missing': 'Bitten Sie Ihren Administrator um den Schlüssel und geben Sie ihn unten ein.',
  'key-refused':
    'Bitten Sie Ihren Administrator um den aktuellen Schlüssel und geben Sie ihn unten ein.',
  'key-used-up': 'Versuchen Sie es morgen erneut oder wenden Sie sich an Ihren Administrator.',
  'device-blocked': 'Bitten Sie Ihren Administrator, ihn zu entsperren.',
  'clock-skewed': 'Stellen Sie die Uhr richtig.',
  'machine-settings-ignored': 'Wenden Sie sich an Ihren Administrator. Der Grund steht unten.',
  'machine-not-synchronized':
    'Prüfen Sie Ihr Netzwerk. Wenn es funktioniert, wenden Sie sich an Ihren Administrator.',
  'machine-fault': 'Wenden Sie sich an Ihren Administrator. Der Fehler steht unten.',
  'machine-keystore-expired': 'Bitten Sie Ihren Administrator um ein neues.',
  'settings-invalid': 'Wenden Sie sich an Ihren Administrator. Unten steht, welche es sind.',
  'check-failed':
    'Klicken Sie auf „Erneut prüfen“. Wenn das nicht hilft, wenden Sie sich an Ihren Administrator.',
  'check-late':
    'Klicken Sie auf „Erneut prüfen“. Wenn das nicht hilft, wenden Sie sich an Ihren Administrator.',
}
