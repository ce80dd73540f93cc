/** The texts of reviews before a change, of what was saved, and of the history in Dutch. */
import type { Texts } from '../en/catalog.ts'
import type { Wrap } from '../markup.ts'
import { createNumbers } from '../numbers.ts'

const { format, count } = createNumbers('nl')

export const history: Texts['history'] = {
  link: 'Geschiedenis en terugzetten',
  title: (name: string) => `Geschiedenis: ${name}`,
  about: 'Elke opgeslagen wijziging is een revisie die u kunt terugzetten.',
  audit: (link: Wrap) => <>Andere wijzigingen vindt u in het {link('auditlogboek')}.</>,
  caption: 'Revisies, nieuwste eerst',
  columns: {
    revision: 'Revisie',
    time: 'Tijdstip',
    who: 'Wie',
    action: 'Wijziging',
    actions: 'Acties',
  },
  numbered: (revision: number) => `Revisie ${format(revision)}`,
  current: 'Huidig',
  removed: 'Verwijderd',
  revisionTitle: (revision: number, name: string) => `Revisie ${format(revision)}: ${name}`,
  savedBy: (who: string) => `Opgeslagen door ${who}`,
  since: (revision: number) => `Wijzigingen sinds revisie ${format(revision)}`,
  value: 'Instellingen in deze revisie',
  same: 'Er zijn geen verschillen.',
  noEarlier: 'Er is geen eerdere revisie.',
  removal: 'In deze revisie is de configuratie verwijderd.',
  part: 'Instelling',
  removedLines: 'Verwijderd',
  addedLines: 'Toegevoegd',
  passwordFrom: (revision: number) => `Ingesteld in revisie ${format(revision)}`,
  password: 'Wachtwoord',
  restore: 'Terugzetten',
  restoreTitle: (revision: number, name: string) =>
    `Revisie ${format(revision)} terugzetten: ${name}`,
  restoreCurrent: 'Dit zijn de huidige instellingen. Er is niets om terug te zetten.',
  restoreAbout: 'De eerdere instellingen worden als nieuwe revisie opgeslagen.',
  missingFiles: (link: Wrap) => (
    <>Deze bestanden bestaan niet meer. {link('Upload ze eerst opnieuw')}.</>
  ),
  restoreButton: 'Terugzetten',
  added: 'Toegevoegd. Connectors passen dit toe bij de volgende synchronisatie.',
  saved: 'Opgeslagen. Connectors passen dit toe bij de volgende synchronisatie.',
  unchanged: 'U hebt niets gewijzigd. Er is dus niets opgeslagen.',
  removedNote: 'Verwijderd. Connectors passen dit toe bij de volgende synchronisatie.',
  undo: 'Ongedaan maken',
  review: {
    title: 'Wijzigingen controleren',
    reach: (devices: number) =>
      devices === 0
        ? 'Nog geen enkel apparaat heeft deze versie.'
        : count(
            devices,
            'apparaat ontvangt deze wijziging bij de volgende synchronisatie.',
            'apparaten ontvangen deze wijziging bij de volgende synchronisatie.',
          ),
    offered: (devices) =>
      count(
        devices,
        'apparaat krijgt een update naar deze versie aangeboden, en daarmee de wijziging.',
        'apparaten krijgen een update naar deze versie aangeboden, en daarmee de wijziging.',
      ),
    waiting: (devices) =>
      count(
        devices,
        'apparaat dat op goedkeuring wacht, krijgt de keystore zodra het is goedgekeurd.',
        'apparaten die op goedkeuring wachten, krijgen de keystore zodra ze zijn goedgekeurd.',
      ),
    lost: (sites: number) =>
      count(
        sites,
        'website kan geen kaartlezers meer gebruiken.',
        'websites kunnen geen kaartlezers meer gebruiken.',
      ),
    caption: 'Wat er verandert',
    apply: 'Wijzigingen toepassen',
    passwordAgain: 'Wachtwoord van de keystore (nogmaals)',
    passwordHint: 'Om veiligheidsredenen onthoudt de pagina het niet.',
  },
}
