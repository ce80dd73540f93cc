/** The texts of dialogs and notices in Dutch. */
import type { Catalog } from '../en/catalog.ts'
import { createCount, range } from '../numbers.ts'

const count = createCount('nl')

export const dialogs: Catalog['dialogs'] = {
  program: 'Een programma op deze computer',
  card: (name) => `Kaart: ${name}`,
  reader: (name) => `Kaartlezer: ${name}`,
  cancel: 'Annuleren',
  close: 'Sluiten',
  cards: {
    piv: 'PIV-kaart',
    beid: 'Belgische identiteitskaart',
    openpgp: 'OpenPGP-kaart',
    emv: 'Betaalkaart',
  },
  pin: {
    purpose: {
      check: (who) => `${who} wil uw pincode controleren.`,
      authenticate: (who) =>
        `${who} vraagt u om u aan te melden. Daarbij deelt u uw naam en uw certificaat.`,
      sign: (who) => `${who} vraagt u om te ondertekenen.`,
    },
    tries: (left) =>
      left === 1 ? 'Dit is uw laatste poging.' : `Nog ${count(left, 'poging', 'pogingen')}.`,
    signatures: (made) =>
      `Met uw pincode worden ${count(made, 'handtekening', 'handtekeningen')} gezet.`,
    typeAtReader: (times) =>
      `Toets uw pincode in op de kaartlezer.${times > 1 ? ` De kaartlezer vraagt ${times} keer om de pincode, één keer per handtekening.` : ''}`,
    kept: (signatures, seconds) =>
      `U voert uw pincode één keer in voor maximaal ${count(signatures, 'handtekening', 'handtekeningen')}. Na ${count(seconds, 'seconde', 'seconden')} zonder handtekening is de pincode opnieuw nodig.`,
    checkOnly:
      'De pincode wordt alleen gecontroleerd. Om te ondertekenen voert u de pincode opnieuw in.',
    wrongForm: (min, max, digits) =>
      `De pincode van deze kaart heeft ${range(min, max, 'tot')} ${digits ? 'cijfers' : 'tekens'}.`,
    prompt: 'Pincode:',
    submit: { check: 'Controleren', authenticate: 'Aanmelden', sign: 'Ondertekenen' },
    attempt: {
      reasons: {
        last: 'Dit is uw laatste poging. Als de pincode onjuist is, wordt die geblokkeerd.',
        refused: 'De laatst ingevoerde pincode was onjuist.',
        early:
          'U hebt getypt voordat het venster voor de pincode klaar was. Uw invoer is niet gebruikt.',
      },
      question: 'Wilt u doorgaan?',
      accept: 'Doorgaan',
    },
  },
  key: {
    purposes: {
      sign: (who) => `${who} vraagt u om te ondertekenen met een certificaat op deze computer.`,
      authenticate: (who) =>
        `${who} vraagt u om u aan te melden met een certificaat op deze computer. Daarbij deelt u uw naam en het certificaat.`,
      check: (who) =>
        `${who} wil controleren of een certificaat op deze computer werkt. Er wordt niets ondertekend.`,
    },
    certificate: (name) => `Certificaat: ${name}`,
    issuer: (name) => `Uitgegeven door: ${name}`,
    question: 'Eén keer toestaan?',
    accept: 'Toestaan',
    refuse: 'Niet toestaan',
  },
  identity: {
    purpose: (who) => `${who} wil uw identiteitsgegevens lezen.`,
    data: (what: string) => `Van uw kaart: ${what}.`,
    holder: {
      biometric:
        'naam, geslacht, geboortedatum en -plaats, nationaliteit, rijksregisternummer, kaartnummer, titel, status',
      address: 'adres',
      picture: 'foto',
      payment: 'naam, kaartnummer, land, taal en geldigheidsduur',
    },
    and: (first: string, last: string) => `${first} en ${last}`,
    untilRevoked:
      'Deze website kan daarna elke kaart van dit type lezen zonder het opnieuw te vragen, tot de toestemming verloopt of u die intrekt.',
    once: 'Het programma kan de kaart daarna één keer lezen.',
    question: 'Deze gegevens delen?',
    accept: 'Delen',
    refuse: 'Niet delen',
  },
  folder: {
    title: (origin) => `${origin}: kies een map`,
    purpose: (origin) => `${origin} kan dan bestanden lezen en schrijven in deze map:`,
    extent:
      'Dit geldt ook voor alle mappen in deze map. De website kan ook bestanden hernoemen en verplaatsen, maar niet overschrijven of verwijderen. De toegang eindigt wanneer de toestemming van de website verloopt of wanneer u die intrekt.',
    question: 'Toegang toestaan?',
    accept: 'Toestaan',
    refuse: 'Niet toestaan',
    unsuitable:
      'Websites kunnen deze map niet gebruiken omdat er instellingen, programma’s of al uw bestanden in kunnen staan.',
    choose: 'Andere map kiezen',
  },
  notifications: {
    consent: (origin) =>
      `${origin} kan nu uw kaartlezers gebruiken. In Cardwire kunt u de toegang intrekken.`,
    fileWritten: (origin, name) => `${origin} heeft het bestand ${name} opgeslagen`,
    fileRead: (origin, name) => `${origin} heeft het bestand ${name} gelezen`,
  },
  verdict: {
    canBeUpdated: 'Er is een update voor Cardwire',
    mustBeUpdated: 'Cardwire moet worden bijgewerkt',
    recommend: (version) =>
      `U hebt Cardwire ${version}. Uw organisatie raadt een andere versie aan.`,
    require: (version) =>
      `Cardwire ${version} is te oud en wordt nu afgesloten. Uw organisatie vereist een andere versie.`,
    stop: (version) =>
      `Uw organisatie heeft Cardwire ${version} geblokkeerd. Cardwire wordt nu afgesloten.`,
    install: (version) => `${version} installeren`,
    canBeInstalled: (version) =>
      `U kunt versie ${version} nu installeren. Hiervoor zijn beheerdersrechten nodig.`,
    askAdministrator: 'Vraag uw beheerder om de update.',
  },
  update: {
    title: 'Cardwire bijwerken',
    accept: 'Installeren',
    unmanaged:
      'Cardwire is niet verbonden met een organisatie. Updates krijgt u op dezelfde manier als Cardwire.',
    unregistered:
      'Deze computer is niet geregistreerd bij uw organisatie. Start Cardwire. Helpt dat niet, neem dan contact op met uw beheerder.',
    unanswered: (reason) =>
      `De server van uw organisatie heeft niet gemeld welke versie u moet gebruiken. Probeer het later opnieuw of neem contact op met uw beheerder. Details voor uw beheerder, in het Engels: ${reason}`,
    unknown: 'Het is nog niet bekend of er een nieuwere versie is. Probeer het later opnieuw.',
    current: (version) => `Cardwire is up-to-date (versie ${version}).`,
    missing:
      'Er is geen installatieprogramma voor deze computer. Neem contact op met uw beheerder.',
    verdict: {
      recommend: (version) =>
        `U hebt versie ${version}. Uw organisatie raadt een andere versie aan.`,
      require: (version) =>
        `Versie ${version} is te oud. Uw organisatie vereist een andere versie.`,
      stop: (version) => `Uw organisatie heeft versie ${version} geblokkeerd.`,
    },
    downloading: (version) => `Versie ${version} wordt gedownload`,
    withoutDigest:
      'Cardwire kan het installatieprogramma niet controleren, omdat uw organisatie de gegevens voor die controle niet heeft gepubliceerd. Vraag het bij twijfel eerst aan uw beheerder',
    older: (version) => `De aangeboden versie is ouder dan uw huidige versie (${version})`,
    question: (version) => `Versie ${version} nu installeren?`,
    nothing: 'Er is niets geïnstalleerd.',
    failed: (reason) =>
      `Er is niets geïnstalleerd. Probeer het opnieuw of neem contact op met uw beheerder. (${reason})`,
    withoutInstaller: (path) =>
      `Deze computer kan de update niet installeren. Vraag uw beheerder om dit bestand te installeren: ${path}`,
    needsAdministrator: (command) =>
      `Een beheerder moet deze versie met deze opdracht installeren: ${command}`,
    installed: (version) => `Versie ${version} is geïnstalleerd.`,
    otherInstalled: (version) =>
      `De update is niet doorgevoerd: de geïnstalleerde versie is ${version}. Neem contact op met uw beheerder.`,
    ended: (status) =>
      `De installatie is mislukt met status ${status}. Probeer het opnieuw. Helpt dat niet, geef dit nummer dan door aan uw beheerder.`,
  },
}
