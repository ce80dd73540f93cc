/** What `describe` says in German: what happened, and what the user does now. */
import { createCount } from './count.ts'
import type { Texts } from './en.ts'

const count = createCount('de')

export const german: Texts = {
  'not-running':
    'Cardwire reagiert nicht. Prüfen Sie, ob es installiert ist und läuft, und starten Sie dann Ihren Browser neu.',
  'not-responding':
    'Cardwire läuft, reagiert aber nicht. Starten Sie Ihren Computer neu. Wenn das nicht hilft, wenden Sie sich an Ihren Administrator.',
  'certificate-untrusted':
    'Dieser Browser vertraut Cardwire noch nicht. Starten Sie Ihren Browser neu. Wenn das nicht hilft, wenden Sie sich an Ihren Administrator.',
  'origin-refused':
    'Diese Website darf Cardwire nicht verwenden. Wenden Sie sich an den Support der Website.',
  'permission-needed':
    'Ihr Browser braucht Ihre Zustimmung, um diese Website mit Cardwire zu verbinden. Versuchen Sie es erneut und wählen Sie „Zulassen“.',
  'permission-pending':
    'Ihr Browser fragt nach Ihrer Zustimmung. Beantworten Sie die Frage und versuchen Sie es dann erneut.',
  'permission-denied':
    'Ihr Browser blockiert den Zugriff dieser Website auf Cardwire. Erlauben Sie ihn in den Einstellungen Ihres Browsers für diese Website und laden Sie die Seite neu.',
  'permission-impossible':
    'So, wie diese Seite eingebettet ist, kann sie Cardwire nicht erreichen. Wenden Sie sich an den Support der Website.',
  'page-insecure':
    'Diese Seite kann Cardwire nicht verwenden, weil die Verbindung nicht sicher ist. Öffnen Sie sie über eine Adresse, die mit https beginnt.',
  'csp-blocked':
    'Die eigenen Einstellungen dieser Website lassen keinen Zugriff auf Cardwire zu. Wenden Sie sich an den Support der Website.',
  'configuration-invalid':
    'Diese Website ist für Cardwire nicht richtig eingerichtet. Wenden Sie sich an den Support der Website.',
  'consent-required': 'Um Ihren Kartenleser hier zu verwenden, lassen Sie diese Website zu.',
  'no-agent':
    'Cardwire hat keinen der Codes gefunden. Prüfen Sie, ob es läuft, und kopieren Sie dann den neuen Code.',
  'too-many-codes':
    'Es wurden zu viele Codes kopiert. Warten Sie eine Minute und kopieren Sie dann einen neuen.',
  'code-word-refused': 'Dieser Code kann nicht verwendet werden. Kopieren Sie den neuen Code.',
  'token-missing':
    'Diese Website hat sich bei Cardwire nicht ausgewiesen. Laden Sie die Seite neu. Wenn das nicht hilft, wenden Sie sich an den Support der Website.',
  'token-unavailable':
    'Diese Website ist zurzeit nicht verfügbar. Warten Sie einen Moment und versuchen Sie es dann erneut.',
  'token-expired': 'Ihre Sitzung ist abgelaufen. Laden Sie die Seite neu.',
  'token-refused':
    'Cardwire konnte nicht bestätigen, welche Website das ist. Laden Sie die Seite neu. Wenn das nicht hilft, wenden Sie sich an den Support der Website.',
  'signature-wrong':
    'Die Antwort von Cardwire konnte nicht überprüft werden und wurde nicht verwendet. Warten Sie eine Minute und versuchen Sie es dann erneut.',
  timeout: 'Cardwire hat nicht rechtzeitig geantwortet. Versuchen Sie es erneut.',
  aborted: 'Abgebrochen.',
  'answer-malformed':
    'Möglicherweise antwortet ein anderes Programm anstelle von Cardwire. Starten Sie Cardwire neu und versuchen Sie es dann erneut.',
  internal:
    'In Cardwire ist ein Fehler aufgetreten. Versuchen Sie es erneut. Wenn das nicht hilft, wenden Sie sich an Ihren Administrator.',
  'too-many-requests':
    'Cardwire ist gerade ausgelastet. Warten Sie einen Moment und versuchen Sie es dann erneut.',
  'caller-refused':
    'Dieser Browser und Cardwire laufen auf diesem Computer unter verschiedenen Benutzerkonten. Öffnen Sie diese Seite in Ihrem eigenen Browser.',
  'policy-expired':
    'Cardwire hatte zu lange keine Verbindung zu Ihrer Organisation. Prüfen Sie Ihre Netzwerkverbindung. Wenn das nicht hilft, wenden Sie sich an Ihren Administrator.',
  'device-blocked':
    'Ihre Organisation hat Cardwire auf diesem Computer gesperrt. Wenden Sie sich an Ihren Administrator.',
  'grant-missing':
    'Ihr Administrator hat dies für diese Website nicht erlaubt. Wenn Sie den Zugriff brauchen, wenden Sie sich an Ihren Administrator.',
  'dialog-unavailable':
    'Cardwire kann sein Fenster nicht anzeigen. Wenden Sie sich an Ihren Administrator.',
  'route-unknown':
    'Ihre Version von Cardwire ist zu alt für diese Website. Aktualisieren Sie Cardwire und versuchen Sie es dann erneut.',
  'module-unknown':
    'Cardwire kann auf diesem Computer nicht ausführen, was diese Website braucht. Wenden Sie sich an den Support der Website.',
  'request-invalid':
    'Diese Website hat Cardwire eine fehlerhafte Anfrage geschickt. Wenden Sie sich an den Support der Website.',
  unknown:
    'Etwas ist schiefgegangen. Versuchen Sie es erneut. Wenn das nicht hilft, wenden Sie sich an den Support der Website.',
  'pcsc-unavailable':
    'Ihr Computer kann gerade keine Kartenleser verwenden. Schließen Sie Ihren Kartenleser neu an. Wenn das nicht hilft, starten Sie Ihren Computer neu.',
  'reader-unknown':
    'Der Kartenleser ist nicht mehr angeschlossen. Schließen Sie ihn an und versuchen Sie es dann erneut.',
  'card-absent':
    'Im Kartenleser steckt keine Karte. Stecken Sie Ihre Karte ein und versuchen Sie es dann erneut.',
  'card-changed':
    'Die Karte wurde entfernt oder ausgetauscht. Stecken Sie Ihre Karte ein und versuchen Sie es dann erneut.',
  'card-unsupported': 'Diese Karte wird nicht unterstützt. Verwenden Sie eine andere Karte.',
  'card-mute':
    'Die Karte reagiert nicht. Ziehen Sie sie heraus, stecken Sie sie wieder ein und versuchen Sie es dann erneut.',
  'card-busy':
    'Ein anderes Programm verwendet die Karte. Schließen Sie es oder warten Sie einen Moment und versuchen Sie es dann erneut.',
  'card-session-unknown': 'Die Verbindung zur Karte wurde beendet. Versuchen Sie es erneut.',
  'command-refused':
    'Diese Website wollte mit Ihrer Karte etwas tun, was Websites nicht erlaubt ist. Wenden Sie sich an den Support der Website.',
  'key-unknown':
    'Das ist nicht die Karte, die diese Website braucht. Verwenden Sie eine andere Karte.',
  'key-unsupported':
    'Diese Karte kann nicht, was diese Website von ihr verlangt. Verwenden Sie eine andere Karte.',
  'pin-busy':
    'Cardwire wartet bereits auf eine Antwort von Ihnen. Suchen Sie das Cardwire-Fenster.',
  'pin-wrong': 'Die PIN ist falsch.',
  'pin-blocked':
    'Ihre PIN ist gesperrt. Wenden Sie sich an den Herausgeber Ihrer Karte, um sie zu entsperren.',
  'pin-cancelled': 'Sie haben die PIN-Eingabe abgebrochen.',
  'pin-timeout': 'Die PIN wurde nicht rechtzeitig eingegeben. Versuchen Sie es erneut.',
  'pin-invalid':
    'Das ist keine gültige PIN für diese Karte. Prüfen Sie die PIN und versuchen Sie es dann erneut.',
  'identity-refused': 'Sie haben Ihre Identitätsdaten nicht freigegeben.',
  'file-type-unknown':
    'Dieser Ordner ist für diese Website nicht freigegeben. Wählen Sie einen Ordner und versuchen Sie es dann erneut.',
  'file-type-unmapped':
    'Den Ordner gibt es nicht mehr, oder Websites dürfen ihn nicht verwenden. Wählen Sie einen anderen Ordner.',
  'file-type-refused':
    'Sie haben für diese Website keinen Ordner gewählt. Um hier Dateien zu verwenden, versuchen Sie es erneut und wählen Sie einen aus.',
  'file-type-managed':
    'Ihr Administrator hat diesen Ordner festgelegt. Sie können ihn hier nicht ändern.',
  'file-path-refused':
    'Websites können keine Datei mit diesem Namen verwenden. Wählen Sie einen anderen Namen.',
  'file-unknown': 'Die Datei gibt es nicht mehr.',
  'file-taken': 'Eine Datei mit diesem Namen gibt es schon. Wählen Sie einen anderen Namen.',
  'file-too-large': 'Die Datei ist zu groß. Wählen Sie eine kleinere.',
  'disk-failed':
    'Ihr Datenträger hat einen Fehler gemeldet. Prüfen Sie ihn und versuchen Sie es dann erneut.',
  'disk-full':
    'Ihr Datenträger ist voll. Geben Sie Speicherplatz frei und versuchen Sie es dann erneut.',
  pinWrongWithAttempts: (left) =>
    `Die PIN ist falsch. Sie haben noch ${count(left, 'Versuch', 'Versuche')}.`,
  codeCopied: 'Der Code wurde kopiert.',
  codeNotCopied: 'Der Code wurde nicht kopiert. Markieren und kopieren Sie ihn selbst.',
}
