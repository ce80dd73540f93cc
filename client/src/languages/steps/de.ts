/** What `describeConnection` and `describeCard` say in German: the title, the sentence and the buttons of each state. */
import type { StepTexts } from './en.ts'

export const germanSteps: StepTexts = {
  looking: 'Ihr Kartenleser wird gesucht …',
  permissionTitle: 'Zugriff auf Cardwire zulassen',
  permissionText: 'Ihr Browser fragt gleich nach Ihrer Zustimmung. Wählen Sie „Zulassen“.',
  promptText: 'Beantworten Sie die Frage Ihres Browsers. Wählen Sie „Zulassen“.',
  notRunningTitle: 'Cardwire läuft nicht',
  notRespondingTitle: 'Cardwire reagiert nicht',
  unavailableTitle: 'Diese Website ist nicht verfügbar',
  consentTitle: 'Darf diese Website Ihren Kartenleser verwenden?',
  consentText:
    'Kopieren Sie diesen Code. Cardwire findet ihn in Ihrer Zwischenablage und lässt diese Website zu.',
  codeNotFound:
    'Cardwire hat den Code nicht in Ihrer Zwischenablage gefunden. Kopieren Sie den neuen Code und danach nichts anderes, bis es auf dieser Seite weitergeht.',
  checking: 'Cardwire prüft den Code …',
  stale: 'Cardwire reagiert nicht. Ihre Kartenleser haben sich möglicherweise geändert.',
  failedTitle: 'Ihr Kartenleser kann nicht verwendet werden',
  connect: 'Verbinden',
  copy: 'Code kopieren und zulassen',
  proceed: 'Ich habe den Code kopiert',
  retry: 'Erneut versuchen',
  install: 'Cardwire herunterladen',
  // What has to happen before a card is used, and while it is.
  'card-service-down':
    'Der Smartcard-Dienst dieses Computers läuft nicht. Starten Sie den Computer neu.',
  'no-reader': 'Schließen Sie einen Kartenleser an.',
  'no-card': 'Stecken Sie Ihre Karte ein.',
  unsupported: 'Cardwire unterstützt diese Karte nicht. Stecken Sie eine andere Karte ein.',
  pending:
    'Geben Sie Ihre PIN im Fenster von Cardwire ein. Wenn Sie es nicht sehen, suchen Sie es hinter diesem Fenster.',
}
