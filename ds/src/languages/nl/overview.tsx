/** The texts of the overview in Dutch. */
import type { Texts } from '../en/catalog.ts'
import { createNumbers } from '../numbers.ts'

const { choose, count } = createNumbers('nl')

export const overview: Texts['overview'] = {
  title: 'Overzicht',
  updatedAt: (time) => <>Bijgewerkt op {time}.</>,
  firstSteps: (link) => (
    <>
      Er zijn nog geen connectors geregistreerd. Volg de {link('eerste stappen')}: voeg een
      organisatie, een toepassing en een versie toe en installeer daarna een connector.
    </>
  ),
  whereItAppears: (devices, rejections) => (
    <>
      Elke connector die zich registreert, verschijnt onder {devices('Apparaten')}. Ontbreekt er
      een, dan vindt u de reden onder {rejections('Geweigerde registraties')}.
    </>
  ),
  figures: {
    devices: (count) => choose(count, 'apparaat', 'apparaten'),
    faulty: () => 'met fouten',
    silent: () => 'inactief',
    unserved: () => 'met een niet-geregistreerde versie',
    waiting: (count) => choose(count, 'wacht op goedkeuring', 'wachten op goedkeuring'),
    blocked: () => 'geblokkeerd',
  },
  nextTitle: 'Volgende stappen',
  next: {
    withoutInstaller: 'Installatieprogramma’s toevoegen voor apparaten met een gestopte connector',
    unserved:
      'Apparaten bekijken die niet kunnen synchroniseren omdat de versie niet is geregistreerd',
    approve: 'Wachtende apparaten beoordelen',
    faulty: 'Apparaten met fouten bekijken',
    refused: 'Geweigerde registraties bekijken',
    silent: 'Inactieve apparaten bekijken',
  },
  keystores: {
    link: (version) => `Keystore voor versie ${version} vervangen`,
    expires: (time) => <>(verloopt op {time})</>,
    expired: (time) => <>(verlopen op {time})</>,
    more: (others) => `Nog ${count(others, 'keystore', 'keystores')}`,
  },
  files: {
    missing:
      'Een bestand waarnaar een versie of een keystore verwijst, ontbreekt. In het serverlogboek staat welk bestand het is.',
    unreachable:
      'Installatieprogramma’s en keystores kunnen nu niet worden gelezen. De reden staat in het serverlogboek.',
  },
  allClear:
    'Alles is in orde. Er zijn geen fouten, geweigerde registraties of apparaten die op goedkeuring wachten.',
  /** How far a rollout is. */
  rolloutShare: (share) => `${share} van de apparaten`,
  refusedTitle: 'Onlangs geweigerd',
  refusal: (time, device, reason) => (
    <>
      {time}, {device}: {reason}
    </>
  ),
  allRefused: 'Alle geweigerde registraties',
  fleet: {
    title: 'Geïnstalleerde versies',
    about: 'Apparaten per versie, per dag. De cijfers van vandaag zijn nog niet volledig.',
    chart: 'Aantal apparaten per dag, per versie',
    description: (days, today) => `${count(days, 'dag', 'dagen')}. Vandaag tot nu toe: ${today}.`,
    asTable: 'Als tabel tonen',
    caption: 'Aantal apparaten per dag en versie',
    day: 'Dag',
    others: 'Overige versies',
  },
}
