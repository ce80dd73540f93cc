/** The texts of the screen of the signing keys in Dutch. */
import type { Texts } from '../en/catalog.ts'
import { createNumbers } from '../numbers.ts'

const { count, format } = createNumbers('nl')

export const signingKeys: Texts['signingKeys'] = {
  // The soft hyphens are for the menu on a narrow screen.
  title: 'Onderteke\u00adnings\u00adsleutels',
  about: (overlap) =>
    `Sleutels worden zonder onderbreking geroteerd. De server publiceert eerst de nieuwe sleutel en ondertekent ermee na een overlapperiode van ${overlap}. Trek een sleutel alleen in als die mogelijk gecompromitteerd is.`,
  empty: 'Er zijn nog geen sleutels. De eerste wordt gemaakt zodra die nodig is.',
  columns: {
    id: 'ID',
    status: 'Status',
    algorithm: 'Algoritme',
    created: 'Gemaakt op',
    signsFrom: 'Ondertekent vanaf',
    actions: 'Acties',
  },
  states: {
    standby: 'Stand-by',
    announced: 'Aangekondigd',
    signing: 'Ondertekent',
    retiring: 'Wordt uitgefaseerd',
  },
  stateMeanings: {
    standby:
      'Gepubliceerd, maar nog niet in gebruik. Ondertekent zodra u de sleutel intrekt die in gebruik is.',
    announced: 'Gepubliceerd. Ondertekent vanaf het vermelde tijdstip.',
    signing: 'Ondertekent nu.',
    retiring:
      'Ondertekent niet meer. Wat ermee is ondertekend, blijft tijdens de overlapperiode geldig.',
  },
  uses: {
    application: {
      name: 'toepassing',
      title: 'Toepassingstokens',
      about: 'Met deze sleutels verifiëren connectors de toepassingstokens van webpagina’s.',
      caption: 'Sleutels voor toepassingstokens',
      rotate: 'Toepassingssleutel roteren',
      rotateTitle: 'De sleutel voor toepassingstokens roteren',
      affected: (applications) =>
        applications === 0
          ? 'geen toepassingen (sinds gisteren heeft er geen enkele tokens aangevraagd)'
          : count(
              applications,
              'toepassing die sinds gisteren tokens heeft aangevraagd',
              'toepassingen die sinds gisteren tokens hebben aangevraagd',
            ),
      uses: (uses, mark) => (
        <>
          De betrokken pagina’s hebben in de laatste 30 dagen {mark(format(uses))} keer een
          kaartlezer gebruikt.
        </>
      ),
    },
    administrator: {
      name: 'beheerder',
      title: 'Toegangstokens van beheerders',
      about:
        'Met deze sleutels verifieert de server de toegangstokens van beheerders en hun programma’s.',
      caption: 'Sleutels voor toegangstokens van beheerders',
      rotate: 'Beheerderssleutel roteren',
      rotateTitle: 'De sleutel voor toegangstokens van beheerders roteren',
      affected: (sessions) => count(sessions, 'open sessie', 'open sessies'),
    },
    reply: {
      name: 'antwoord',
      title: 'Antwoorden aan connectors',
      about:
        'Connectors volgen een beleid alleen als het met een van deze sleutels is ondertekend.',
      caption: 'Sleutels voor antwoorden aan connectors',
      rotate: 'Antwoordsleutel roteren',
      rotateTitle: 'De sleutel voor antwoorden aan connectors roteren',
      affected: (devices) => count(devices, 'apparaat', 'apparaten'),
    },
  },
  rotation: {
    button: 'Sleutel roteren',
    about: (affected, overlap) => (
      <>
        De nieuwe sleutel wordt nu gepubliceerd en ondertekent over {overlap}. Daarna blijft de oude
        sleutel nog {overlap} gepubliceerd, zodat er geen onderbreking is. Dit heeft gevolgen voor{' '}
        {affected}.
      </>
    ),
    wayBack:
      'Om dit ongedaan te maken, trekt u de aangekondigde sleutel in voordat die begint te ondertekenen.',
  },
  revocation: {
    link: (hide, id) => <>Intrekken{hide(`: sleutel ${id}`)}</>,
    title: (id) => `Sleutel ${id} intrekken`,
    button: 'Sleutel intrekken',
    about: (use, state, created) => (
      <>
        {use}. Status: {state}. Gemaakt op {created}.
      </>
    ),
    effect: (affected) => (
      <>
        Alles wat met deze sleutel is ondertekend, wordt ongeldig. Dit heeft gevolgen voor{' '}
        {affected}.
      </>
    ),
    successor:
      'De aangekondigde sleutel, of anders een nieuwe, neemt het ondertekenen meteen over.',
    successorKnown: (created, devices, setting, mark) => (
      <>
        De volgende sleutel is gemaakt op {created}.{' '}
        {devices === 0 ? (
          'Alle apparaten zijn sindsdien gesynchroniseerd en vertrouwen die sleutel.'
        ) : (
          <>
            {mark(count(devices, 'apparaat is', 'apparaten zijn'))} sindsdien niet gesynchroniseerd.{' '}
            {devices === 1 ? 'Het vertrouwt' : 'Ze vertrouwen'} de server pas als u daarop {setting}{' '}
            instelt.
          </>
        )}
      </>
    ),
    spare:
      'Een nieuwe sleutel neemt de plaats van deze sleutel in. Apparaten krijgen die bij hun volgende synchronisatie. Trek de ondertekenende sleutel niet eerder in, anders vertrouwen apparaten de server niet.',
  },
}
