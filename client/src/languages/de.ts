/** What `describe` says in German: what happened, and what the user does now. */
import { createCount } from './count.ts'
import type { Texts } from './en.ts'

const count = createCount('de')

export const german: Texts = {
  notRunning:
    'Cardwire reagiert nicht. Prüfen Sie, ob es installiert ist und läuft, und starten Sie dann Ihren Browser neu.',
  notResponding:
    'Cardwire läuft, reagiert aber nicht. Starten Sie Ihren Computer neu. Wenn das nicht hilft, wenden Sie sich an Ihren Administrator.',
  certificateUntrusted:
    'Dieser Browser vertraut dem Zertifikat von Cardwire noch nicht. Starten Sie Ihren Browser neu. Wenn das nicht hilft, wenden Sie sich an Ihren Administrator.',
  originRefused:
    'Diese Website darf Cardwire nicht verwenden. Wenden Sie sich an den Support der Website.',
  permissionNeeded:
    'Ihr Browser braucht Ihre Zustimmung, um diese Website mit Cardwire zu verbinden. Versuchen Sie es erneut und wählen Sie „Zulassen“.',
  permissionPending:
    'Ihr Browser fragt nach Ihrer Zustimmung. Beantworten Sie die Frage und versuchen Sie es dann erneut.',
  permissionDenied:
    'Ihr Browser blockiert den Zugriff dieser Website auf Cardwire. Erlauben Sie ihn in den Einstellungen Ihres Browsers für diese Website und laden Sie die Seite neu.',
  siteEmbedded:
    'So, wie diese Seite eingebettet ist, kann sie Cardwire nicht erreichen. Wenden Sie sich an den Support der Website.',
  siteInsecure:
    'Diese Seite kann Cardwire nicht verwenden, weil die Verbindung nicht sicher ist. Öffnen Sie die Seite über HTTPS.',
  siteFault:
    'Diese Website ist für Cardwire nicht richtig eingerichtet. Wenden Sie sich an den Support der Website.',
  siteUnavailable:
    'Diese Website ist zurzeit nicht verfügbar. Warten Sie einen Moment und versuchen Sie es dann erneut.',
  siteUnidentified:
    'Diese Website konnte sich bei Cardwire nicht ausweisen. Laden Sie die Seite neu. Wenn das nicht hilft, wenden Sie sich an den Support der Website.',
  sessionExpired: 'Ihre Sitzung ist abgelaufen. Laden Sie die Seite neu.',
  timeout: 'Cardwire hat nicht rechtzeitig geantwortet. Versuchen Sie es erneut.',
  aborted: 'Abgebrochen.',
  answerUnverified:
    'Die Antwort von Cardwire konnte nicht überprüft werden und wurde nicht verwendet. Warten Sie eine Minute und versuchen Sie es dann erneut.',
  answerMalformed:
    'Möglicherweise antwortet ein anderes Programm anstelle von Cardwire. Starten Sie Cardwire neu und versuchen Sie es dann erneut.',
  consentRequired: 'Um Ihren Kartenleser hier zu verwenden, lassen Sie diese Website zu.',
  codeCopied: 'Der Code wurde kopiert.',
  codeNotCopied: 'Der Code wurde nicht kopiert. Markieren und kopieren Sie ihn selbst.',
  codesNotFound:
    'Cardwire hat keinen der Codes gefunden. Prüfen Sie, ob es läuft, und kopieren Sie dann den neuen Code.',
  codesTooMany:
    'Es wurden zu viele Codes kopiert. Warten Sie eine Minute und kopieren Sie dann einen neuen.',
  codeRefused: 'Dieser Code kann nicht verwendet werden. Kopieren Sie den neuen Code.',
  failed:
    'In Cardwire ist ein Fehler aufgetreten. Versuchen Sie es erneut. Wenn das nicht hilft, wenden Sie sich an Ihren Administrator.',
  busy: 'Cardwire ist gerade ausgelastet. Warten Sie einen Moment und versuchen Sie es dann erneut.',
  otherUser:
    'Dieser Browser und Cardwire laufen auf diesem Computer unter verschiedenen Benutzerkonten. Öffnen Sie diese Seite in Ihrem eigenen Browser.',
  agentUnknown:
    'Cardwire läuft nicht unter Ihrem Benutzerkonto. Starten Sie es und versuchen Sie es dann erneut.',
  grantMissing:
    'Ihr Administrator hat dies für diese Website nicht erlaubt. Wenn Sie den Zugriff brauchen, wenden Sie sich an Ihren Administrator.',
  policyExpired:
    'Cardwire hatte zu lange keine Verbindung zu Ihrer Organisation. Prüfen Sie Ihre Netzwerkverbindung. Wenn das nicht hilft, wenden Sie sich an Ihren Administrator.',
  deviceBlocked:
    'Ihre Organisation hat Cardwire auf diesem Computer gesperrt. Wenden Sie sich an Ihren Administrator.',
  certificatesKept:
    'Die Zertifikate von Cardwire wurden nicht geändert. Wenn Sie neue brauchen, wenden Sie sich an Ihren Administrator.',
  logsKept:
    'Die Protokolle können nicht gesendet werden, weil Ihr Administrator kein Ziel dafür eingerichtet hat.',
  dialogUnavailable:
    'Cardwire kann sein Fenster nicht anzeigen. Wenden Sie sich an Ihren Administrator.',
  dialogOpen:
    'Cardwire wartet bereits auf eine Antwort von Ihnen. Suchen Sie das Cardwire-Fenster.',
  readerUnknown:
    'Der Kartenleser ist nicht mehr angeschlossen. Schließen Sie ihn an und versuchen Sie es dann erneut.',
  readersUnavailable:
    'Der Smartcard-Dienst Ihres Computers läuft nicht. Schließen Sie Ihren Kartenleser neu an. Wenn das nicht hilft, starten Sie Ihren Computer neu.',
  cardAbsent:
    'Im Kartenleser steckt keine Karte. Stecken Sie Ihre Karte ein und versuchen Sie es dann erneut.',
  cardChanged:
    'Die Karte wurde entfernt oder ausgetauscht. Stecken Sie Ihre Karte ein und versuchen Sie es dann erneut.',
  cardUnsupported: 'Diese Karte wird nicht unterstützt. Verwenden Sie eine andere Karte.',
  cardMute:
    'Die Karte reagiert nicht. Ziehen Sie sie heraus, stecken Sie sie wieder ein und versuchen Sie es dann erneut.',
  cardBusy:
    'Ein anderes Programm verwendet die Karte. Schließen Sie es oder warten Sie einen Moment und versuchen Sie es dann erneut.',
  cardReleased: 'Die Verbindung zur Karte wurde beendet. Versuchen Sie es erneut.',
  keyUnknown:
    'Auf dieser Karte fehlt der Schlüssel, den diese Website braucht. Verwenden Sie eine andere Karte.',
  keyUnsupported:
    'Der Schlüssel auf dieser Karte funktioniert mit dieser Website nicht. Verwenden Sie eine andere Karte.',
  storeUnavailable:
    'Cardwire kann den Zertifikatspeicher dieses Computers nicht öffnen. Versuchen Sie es erneut. Wenn das nicht hilft, wenden Sie sich an Ihren Administrator.',
  pinWrong: 'Die PIN ist falsch.',
  pinWrongWithAttempts: (left) =>
    `Die PIN ist falsch. Sie haben noch ${count(left, 'Versuch', 'Versuche')}.`,
  pinBlocked:
    'Ihre PIN ist gesperrt. Wenden Sie sich an den Herausgeber Ihrer Karte, um sie zu entsperren.',
  pinCanceled: 'Sie haben die PIN-Eingabe abgebrochen.',
  pinTimeout: 'Die PIN wurde nicht rechtzeitig eingegeben. Versuchen Sie es erneut.',
  pinInvalid:
    'Das ist keine gültige PIN für diese Karte. Prüfen Sie die PIN und versuchen Sie es dann erneut.',
  identityRefused: 'Sie haben Ihre Identitätsdaten nicht freigegeben.',
  folderUnknown:
    'Dieser Ordner ist für diese Website nicht freigegeben. Wählen Sie einen Ordner und versuchen Sie es dann erneut.',
  folderGone:
    'Den Ordner gibt es nicht mehr, oder Websites dürfen ihn nicht verwenden. Wählen Sie einen anderen Ordner.',
  folderRefused:
    'Sie haben für diese Website keinen Ordner gewählt. Um hier Dateien zu verwenden, versuchen Sie es erneut und wählen Sie einen aus.',
  folderManaged:
    'Ihr Administrator hat diesen Ordner festgelegt. Sie können ihn hier nicht ändern.',
  nameRefused:
    'Websites können keine Datei mit diesem Namen verwenden. Wählen Sie einen anderen Namen.',
  fileUnknown: 'Die Datei gibt es nicht mehr.',
  fileTaken: 'Eine Datei mit diesem Namen gibt es schon. Wählen Sie einen anderen Namen.',
  fileTooLarge: 'Die Datei ist zu groß. Wählen Sie eine kleinere.',
  diskFailed:
    'Ihr Datenträger hat einen Fehler gemeldet. Prüfen Sie ihn und versuchen Sie es dann erneut.',
  diskFull:
    'Ihr Datenträger ist voll. Geben Sie Speicherplatz frei und versuchen Sie es dann erneut.',
  printerUnknown: 'Dieser Drucker ist nicht verfügbar. Wählen Sie einen anderen Drucker.',
  printingUnavailable:
    'Dieser Computer kann gerade nicht drucken. Prüfen Sie, ob ein Drucker eingerichtet ist.',
  printingRefused:
    'Der Drucker hat das Dokument abgelehnt. Prüfen Sie den Drucker und versuchen Sie es dann erneut.',
}
