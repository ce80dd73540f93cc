/** The texts of changes of many devices in Dutch. */
import type { Texts } from '../en/catalog.ts'
import { createNumbers } from '../numbers.ts'

const { count, format } = createNumbers('nl')

export const manyDevices: Texts['manyDevices'] = {
  matching: 'Deze apparaten wijzigen',
  all: 'Alle apparaten wijzigen',
  changes: {
    approve: {
      title: 'Apparaten goedkeuren',
      effects: [
        'Bij de volgende synchronisatie krijgt elk apparaat de keystore van zijn versie, met het wachtwoord.',
        'Dit kan niet ongedaan worden gemaakt. Ook als u de apparaten later blokkeert of verwijdert, blijft de keystore erop staan.',
      ],
      done: (devices) => count(devices, 'apparaat is goedgekeurd.', 'apparaten zijn goedgekeurd.'),
    },
    block: {
      title: 'Apparaten blokkeren',
      effects: [
        'De apparaten kunnen geen verbinding meer maken. Gebruiksgegevens blijven op de apparaten staan.',
        'Elk apparaat probeert één keer per synchronisatiecyclus verbinding te maken. Bij de volgende poging verliezen websites de toegang tot de kaartlezers ervan.',
        'Tot 30 dagen na het blokkeren kunt u precies deze apparaten weer deblokkeren.',
      ],
      done: (devices) => count(devices, 'apparaat is geblokkeerd.', 'apparaten zijn geblokkeerd.'),
    },
    unblock: {
      title: 'Apparaten deblokkeren',
      effects: [
        'De apparaten kunnen weer verbinding maken. Elk apparaat doet dat binnen één synchronisatiecyclus en verzendt dan de gebruiksgegevens die het heeft bewaard.',
      ],
      done: (devices) =>
        count(devices, 'apparaat is gedeblokkeerd.', 'apparaten zijn gedeblokkeerd.'),
    },
    remove: {
      title: 'Apparaten verwijderen',
      effects: [
        'De apparaten en hun logboeken worden verwijderd. Gebruiksgegevens die al zijn verzonden, blijven bewaard.',
        'Apparaten met een actieve connector en een geldige installatiesleutel registreren zich opnieuw als nieuw apparaat. Wilt u dat voorkomen, blokkeer ze dan in plaats van ze te verwijderen.',
        'Dit kan niet ongedaan worden gemaakt.',
      ],
      done: (devices) => count(devices, 'apparaat is verwijderd.', 'apparaten zijn verwijderd.'),
    },
  },
  reach: (devices) =>
    devices === 0
      ? 'Er zijn geen apparaten om te wijzigen.'
      : count(devices, 'apparaat wordt gewijzigd.', 'apparaten worden gewijzigd.'),
  largest: 'De tabel toont alleen de grootste groepen.',
  progress: {
    title: 'Apparaten wijzigen',
    done: (done, reach) => `${format(done)} van ${format(reach)} apparaten verwerkt.`,
    next: 'Klik op ‘Doorgaan’ tot alle apparaten zijn verwerkt. Als u nu stopt, blijven de overige apparaten ongewijzigd.',
    button: 'Doorgaan',
  },
  show: 'Deze apparaten tonen',
  undo: 'Ongedaan maken',
}
