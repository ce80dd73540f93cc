/** The texts of the emergency stop in Dutch. */
import type { Texts } from '../en/catalog.ts'
import { createNumbers } from '../numbers.ts'

const { count } = createNumbers('nl')

export const stop: Texts['stop'] = {
  title: 'Noodstop',
  about:
    'Hier kunt u elke uitrol stopzetten en een versie blokkeren die schade veroorzaakt. Eerst controleert u voor welke apparaten dit gevolgen heeft.',
  caption: 'Uitrol die wordt stopgezet',
  offered: 'Aangeboden, niet geïnstalleerd',
  installed: 'Versie geïnstalleerd',
  noRollouts: 'Er is geen uitrol actief.',
  version: 'Te blokkeren versie',
  versionHint:
    'Connectors met deze versie stoppen. Ze kunnen overstappen op de nieuwste toegestane versie, ook als die ouder is.',
  noVersion: 'Geen, alleen de uitrol stopzetten',
  reviewButton: 'Controleren',
  waysBack: 'Een noodstop ongedaan maken',
  order: 'Wilt u de uitrol van een geblokkeerde versie hervatten, sta dan eerst de versie toe.',
  allow: (version) => `Versie ${version} weer toestaan`,
  reviewTitle: 'Noodstop controleren',
  nothing: 'Er valt niets te stoppen. Er is geen uitrol actief en er is geen versie geselecteerd.',
  reach: (devices) =>
    devices === 0
      ? 'Dit heeft geen gevolgen voor apparaten.'
      : `Dit heeft gevolgen voor ${count(devices, 'apparaat', 'apparaten')}.`,
  when: 'Connectors met een open verbinding met de server voeren dit meestal binnen een minuut door, alle andere bij hun volgende synchronisatie.',
  halts:
    'Elke uitrol in deze tabel wordt stopgezet. De versies worden niet meer aangeboden. Apparaten die een versie hebben geïnstalleerd, behouden die.',
  blocks: (version) => `Versie ${version} wordt geblokkeerd.`,
  wayBack: 'U kunt daarna elke uitrol hervatten en de versie weer toestaan.',
  button: 'Nu stoppen',
}
