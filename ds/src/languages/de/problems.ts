/** What a page says when a change is refused, in German, by the name of the problem: what is wrong, and what to do. */
import type { problems as english } from '../en/problems.ts'

export const problems: typeof english = {
  'body-malformed':
    'Das Formular konnte nicht gelesen werden. Laden Sie die Seite neu und versuchen Sie es erneut.',
  'input-invalid': 'Einige Felder müssen korrigiert werden.',
  'body-too-large':
    'Die Daten sind zu groß und können nicht gesendet werden. Wählen Sie eine kleinere Datei oder kürzen Sie den Text.',
  'length-required':
    'Die Datei konnte nicht gesendet werden. Versuchen Sie es mit einem anderen Browser.',
  'request-too-slow':
    'Das Senden hat zu lange gedauert. Prüfen Sie Ihre Verbindung und versuchen Sie es erneut.',
  'too-many-requests': 'Zu viele Anfragen. Warten Sie einen Moment und versuchen Sie es erneut.',
  'digest-mismatch':
    'Die Datei stimmt nicht mit ihrem Hash überein. Prüfen Sie beides und laden Sie die Datei erneut hoch.',
  'revision-mismatch':
    'Jemand anderes hat inzwischen Änderungen gespeichert. Laden Sie die Seite neu, um den aktuellen Stand zu sehen.',
  'changed-meanwhile': 'Jemand anderes hat gleichzeitig etwas geändert. Versuchen Sie es erneut.',
  'group-unknown': 'Diese Gruppe gibt es nicht mehr. Gehen Sie zurück zur Liste.',
  'group-taken': 'Eine andere Gruppe hat bereits diesen Namen. Wählen Sie einen anderen.',
  'webhook-unknown': 'Diesen Webhook gibt es nicht mehr. Gehen Sie zurück zur Liste.',
  'webhook-limit': 'Es gibt bereits 20 Webhooks. Entfernen Sie einen, den Sie nicht mehr brauchen.',
  'webhook-address-refused':
    'Die URL muss mit https:// beginnen und darf nicht auf eine private oder lokale Adresse verweisen.',
  'delivery-unknown': 'Dieser Zustellversuch ist nicht mehr gespeichert. Laden Sie die Seite neu.',
  'group-limit': 'Es gibt bereits 100 Gruppen. Entfernen Sie eine, die Sie nicht mehr brauchen.',
  'group-in-use':
    'Eine Konfiguration oder ein Rollout verwendet diese Gruppe noch. Entfernen Sie sie zuerst dort.',
  'group-untrusted':
    'Eine Gruppe kann nur dann einen Keystore haben, wenn jede ihrer Regeln ein von Administratoren vergebenes Tag verlangt. Alle anderen Werte melden die Geräte selbst.',
  'change-unknown':
    'Diese Sammeländerung gibt es nicht mehr, oder sie ist älter als 30 Tage. Gehen Sie zurück zur Liste.',
  'change-taken':
    'Dieses Formular gehört zu einer anderen Änderung. Öffnen Sie die Geräteliste und beginnen Sie von vorn.',
  'second-administrator':
    'Ein anderer Administrator oder Herausgeber muss diese Änderung genehmigen. Ihr Antrag steht 24 Stunden lang unter „Genehmigungen“. Ein Konto, das ein Administrator in den letzten 7 Tagen hinzugefügt oder geändert hat, kann ihn nicht genehmigen.',
  'approval-limit':
    'Diese Änderung muss genehmigt werden, aber es stehen bereits zu viele Genehmigungen aus. Möglich sind 10 pro Konto und 50 insgesamt. Ziehen Sie unter „Genehmigungen“ einen Antrag zurück.',
  'approval-unknown':
    'Für diese Änderung steht keine Genehmigung mehr aus. Gehen Sie zurück zur Liste.',
  'reach-exceeded':
    'Die Änderung betrifft inzwischen mehr Geräte, als Sie bestätigt haben. Prüfen Sie die neue Zahl und bestätigen Sie erneut.',
  'grant-refused': 'Die Anmeldung ist fehlgeschlagen. Versuchen Sie es erneut.',
  'role-missing': 'Dazu sind Sie nicht berechtigt. Wenden Sie sich an einen Administrator.',
  'password-change-required': 'Ändern Sie zuerst Ihr Passwort.',
  'second-factor-setup-required': 'Richten Sie zuerst die Zwei-Faktor-Authentifizierung ein.',
  'password-refused': 'Das Passwort ist falsch. Versuchen Sie es erneut.',
  'code-refused':
    'Der Code ist falsch. Geben Sie den aktuellen Code aus Ihrer Authentifizierungs-App ein.',
  'second-factor-unknown':
    'Die Zwei-Faktor-Authentifizierung ist deaktiviert. Laden Sie die Seite neu, um den aktuellen Stand zu sehen.',
  'second-factor-taken':
    'Die Zwei-Faktor-Authentifizierung ist bereits aktiviert. Laden Sie die Seite neu, um den aktuellen Stand zu sehen.',
  'service-busy': 'Der Server ist ausgelastet. Versuchen Sie es gleich erneut.',
  'service-stopping': 'Der Server wird neu gestartet. Versuchen Sie es gleich erneut.',
  'database-unavailable': 'Die Datenbank ist nicht verfügbar. Versuchen Sie es gleich erneut.',
  'packages-unavailable':
    'Dateien können gerade nicht gelesen oder geändert werden. Näheres steht im Serverprotokoll.',
  'provider-unreachable':
    'Ihr Identitätsanbieter ist nicht verfügbar. Versuchen Sie es gleich erneut.',
  'disk-full':
    'Der Datenträger des Servers ist voll. Geben Sie Speicherplatz frei und versuchen Sie es erneut.',
  'disk-failed':
    'Der Datenträger des Servers hat einen Fehler gemeldet. Näheres steht im Serverprotokoll.',
  internal: 'Ein unerwarteter Fehler ist aufgetreten. Näheres steht im Serverprotokoll.',
  'version-taken':
    'Diese Version gibt es schon. Öffnen Sie sie, um sie zu ändern, oder wählen Sie eine andere.',
  'version-in-use': 'Diese Version hat noch Konfigurationen. Entfernen Sie diese zuerst.',
  'version-unknown': 'Diese Version gibt es nicht mehr. Gehen Sie zurück zur Liste.',
  'rollout-unknown': 'Diesen Rollout gibt es nicht mehr. Gehen Sie zurück zur Liste.',
  'rollout-taken':
    'Für diese Version gibt es bereits einen Rollout. Öffnen Sie ihn oder wählen Sie eine andere Version.',
  'rollout-started':
    'Dieser Rollout wurde bereits gestartet und kann nicht mehr bearbeitet werden. Sie können ihn stoppen.',
  'rollout-state':
    'Das ist beim aktuellen Status des Rollouts nicht möglich. Laden Sie die Seite neu, um den Status zu sehen.',
  'version-unsuitable':
    'Für diese Version ist kein Rollout möglich. Die Version muss dafür freigegeben sein und darf weder empfohlen noch erforderlich sein.',
  'version-in-rollout':
    'Für diese Version gibt es einen Rollout. Schließen Sie ihn zuerst ab oder entfernen Sie ihn.',
  'installer-in-use':
    'Eine Version oder ein Keystore verwendet diese Datei. Entfernen Sie sie zuerst dort oder wählen Sie einen anderen Namen.',
  'installer-unknown': 'Diese Datei gibt es nicht mehr. Gehen Sie zurück zur Liste.',
  'installers-missing':
    'Auf einigen Geräten würde der Connector beendet, ohne dass ein Update verfügbar ist. Fügen Sie ein Installationsprogramm für das jeweilige System hinzu oder wählen Sie „Trotzdem fortfahren“.',
  'keystore-in-use':
    'Dieser Keystore wird von einer Konfiguration verwendet. Wählen Sie einen anderen Namen.',
  'keystore-unknown': 'Diesen Keystore gibt es nicht mehr. Gehen Sie zurück zur Liste.',
  'keystore-locked':
    'Mit diesem Passwort lässt sich der Keystore nicht öffnen. Geben Sie das Passwort ein, mit dem die Datei erstellt wurde.',
  'keystore-unreadable':
    'Diese Datei lässt sich nicht als Keystore öffnen. Exportieren Sie den Schlüssel und sein Zertifikat erneut als PKCS-#12-Datei (.p12 oder .pfx) mit Passwort.',
  'keystore-unusable':
    'Connectors können diesen Keystore nicht verwenden. Er braucht ein Serverzertifikat mit Hostnamen und den privaten Schlüssel dazu.',
  'keystore-expired':
    'Das Zertifikat in diesem Keystore ist abgelaufen. Laden Sie einen Keystore mit einem gültigen Zertifikat hoch.',
  'configurations-large':
    'Die Konfigurationen einer Version dürfen zusammen höchstens 4 MB groß sein. Kürzen Sie eine oder entfernen Sie eine, die Sie nicht mehr brauchen.',
  'configuration-taken':
    'Für diese Version gibt es diese Konfiguration schon. Bearbeiten Sie sie oder entfernen Sie sie zuerst.',
  'allowlist-missing':
    'Geräte würden auf eine Version ohne Zulassungsliste aktualisiert, und keine Website könnte ihre Kartenleser verwenden. Fügen Sie zuerst die Zulassungsliste hinzu.',
  'revision-unknown':
    'Diese Revision gibt es nicht mehr oder sie kann nicht wiederhergestellt werden. Wählen Sie eine andere.',
  'configuration-moved':
    'Eine Konfiguration kann nicht in eine andere Version oder Organisation verschoben werden. Fügen Sie dort eine neue hinzu.',
  'configuration-unknown': 'Diese Konfiguration gibt es nicht mehr. Gehen Sie zurück zur Liste.',
  'organization-taken': 'Diese Organisation gibt es schon. Wählen Sie einen anderen Namen.',
  'organization-in-use': 'Diese Organisation hat noch Anwendungen. Entfernen Sie diese zuerst.',
  'organization-unknown': 'Diese Organisation gibt es nicht mehr. Gehen Sie zurück zur Liste.',
  'label-taken': 'Diese Anwendung gibt es schon. Wählen Sie einen anderen Namen.',
  'label-moved':
    'Eine Anwendung kann nicht in eine andere Organisation verschoben werden. Fügen Sie dort eine neue hinzu.',
  'label-unknown': 'Diese Anwendung gibt es nicht mehr. Gehen Sie zurück zur Liste.',
  'api-key-taken':
    'Eine andere Anwendung hat diesen API-Schlüssel schon. Erstellen Sie einen neuen.',
  'signing-key-unknown': 'Diesen Signaturschlüssel gibt es nicht mehr. Gehen Sie zurück zur Liste.',
  'administrator-taken':
    'Ein Konto mit diesem Namen gibt es schon. Wählen Sie einen anderen Namen.',
  'administrator-last':
    'Mindestens ein Administrator ist erforderlich. Fügen Sie zuerst einen weiteren hinzu.',
  'administrator-self':
    'Das ist mit Ihrem eigenen Konto nicht möglich. Bitten Sie einen anderen Administrator darum.',
  'administrator-unknown': 'Dieses Konto gibt es nicht mehr. Gehen Sie zurück zur Liste.',
  'api-client-taken': 'Es gibt bereits einen API-Client mit dieser ID. Wählen Sie eine andere.',
  'api-client-limit':
    'Die Höchstzahl an API-Clients oder Zugangsdaten ist erreicht. Entfernen Sie einen Eintrag, den Sie nicht mehr brauchen.',
  'api-client-unknown':
    'Diesen API-Client oder diese Zugangsdaten gibt es nicht mehr. Gehen Sie zurück zur Liste.',
  'program-refused': 'API-Clients dürfen das nicht. Melden Sie sich mit Ihrem eigenen Konto an.',
  'session-unknown':
    'Diese Sitzung ist bereits beendet. Laden Sie die Seite neu, um die offenen Sitzungen zu sehen.',
  'device-unknown': 'Dieses Gerät gibt es nicht mehr. Gehen Sie zurück zur Liste.',
  'logs-unknown': 'Diese Protokolle gibt es nicht mehr. Gehen Sie zurück zum Gerät.',
}
