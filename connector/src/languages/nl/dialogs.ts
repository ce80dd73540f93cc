/** The texts of dialogs and notices in Dutch. */
import type { Catalog } from '../en/catalog.ts'
import { createCount, range } from '../numbers.ts'

const count = createCount('nl')

export const dialogs: Catalog['dialogs'] = {
  program: 'Een programma op deze computer',
  card: (name) => `Kaart: ${name}`,
  reader: (name) => `Lezer: ${name}`,
  cancel: 'Annuleren',
  pin: {
    purpose: {
      check: (who) => `${who} wil uw pincode controleren.`,
      authenticate: (who) => `${who} wil weten wie u bent.`,
      sign: (who) => `${who} vraagt uw handtekening.`,
    },
    tries: (left) =>
      left === 1 ? 'Dit is de laatste poging.' : `Nog ${count(left, 'poging', 'pogingen')}.`,
    signatures: (made) =>
      `Met uw pincode worden ${count(made, 'handtekening', 'handtekeningen')} gezet.`,
    typeAtReader: (times) =>
      `Tik uw pincode in op de toetsen van de lezer.${times > 1 ? ` Hij vraagt ze ${times} keer, één keer voor elke handtekening.` : ''}`,
    kept: (signatures, seconds) =>
      `Met uw pincode worden zonder verdere vraag maximaal ${count(signatures, 'handtekening', 'handtekeningen')} gezet, tot er ${count(seconds, 'seconde', 'seconden')} lang geen bij komt.`,
    checkOnly:
      'De pincode wordt alleen gecontroleerd. Voor een handtekening wordt ze opnieuw gevraagd.',
    wrongForm: (min, max, digits) =>
      `De pincode van deze kaart heeft ${range(min, max, 'tot')} ${digits ? 'cijfers' : 'tekens'}.`,
    prompt: 'Pincode:',
    submit: { check: 'Controleren', authenticate: 'Aanmelden', sign: 'Ondertekenen' },
    attempt: {
      reasons: {
        last: 'Dit is de laatste poging: een verkeerde pincode blokkeert de kaart.',
        refused: 'De laatst ingevoerde pincode was verkeerd.',
        early: 'Het venster voor de pincode was nog maar net open. Wat u typte, is niet gebruikt.',
      },
      question: 'Wilt u doorgaan?',
      accept: 'Doorgaan',
    },
  },
  key: {
    purposes: {
      sign: (who) => `${who} wil uw handtekening met een certificaat van deze computer.`,
      authenticate: (who) =>
        `${who} wil bewijzen wie u bent met een certificaat van deze computer.`,
      check: (who) =>
        `${who} wil weten of een certificaat van deze computer bruikbaar is. Er wordt niets ondertekend.`,
    },
    certificate: (name) => `Certificaat: ${name}`,
    issuer: (name) => `Uitgegeven door: ${name}`,
    question: 'Staat u dit één keer toe?',
    accept: 'Toestaan',
    refuse: 'Weigeren',
  },
  identity: {
    purpose: (who) => `${who} wil uw identiteitsgegevens lezen.`,
    data: (what: string) => `Dat is wat uw kaart over u zegt: ${what}.`,
    holder: {
      biometric: 'naam, geboorte, nationaliteit, nummers',
      address: 'adres',
      picture: 'foto',
      payment: 'naam, nummer, land, taal en geldigheid',
    },
    and: (first: string, last: string) => `${first} en ${last}`,
    untilRevoked:
      'Elke kaart van deze soort kan dan zonder nieuwe vraag gelezen worden, tot de toestemming eindigt of u ze intrekt.',
    once: 'De kaart kan dan één keer gelezen worden.',
    question: 'Deelt u deze gegevens?',
    accept: 'Delen',
    refuse: 'Niet delen',
  },
  folder: {
    title: (origin) => `${origin}: map waarvan het de bestanden mag lezen en schrijven`,
    purpose: (origin) => `${origin} mag dan bestanden in deze map lezen en schrijven:`,
    extent:
      'Dat geldt ook voor alle mappen erin. Bestanden vervangen of wissen kan het niet. Het eindigt met de toestemming van deze site, of wanneer u het intrekt.',
    question: 'Staat u dat toe?',
    accept: 'Toestaan',
    refuse: 'Niet toestaan',
    unsuitable:
      'Geen site mag deze map hebben: er staat meer in dan bestanden voor een site, zoals instellingen, programma’s of alles van u.',
    choose: 'Andere map kiezen',
  },
  notifications: {
    consent: (origin) =>
      `${origin} kan vanaf nu uw kaartlezers gebruiken. Intrekken: cardwire consents revoke ${origin}`,
    fileWritten: (origin, name) => `${origin} heeft het bestand ${name} opgeslagen`,
    fileRead: (origin, name) => `${origin} heeft het bestand ${name} gelezen`,
  },
  verdict: {
    canBeUpdated: 'Cardwire kan bijgewerkt worden',
    mustBeUpdated: 'Cardwire moet bijgewerkt worden',
    recommend: (version) =>
      `Versie ${version} van Cardwire draait op deze computer, en een andere wordt aanbevolen.`,
    require: (version) => `Versie ${version} van Cardwire is te oud om te gebruiken en stopt nu.`,
    stop: (version) => `Versie ${version} van Cardwire mag niet meer gebruikt worden en stopt nu.`,
    install: (version) => `${version} installeren`,
    canBeInstalled: (version) =>
      `Versie ${version} kan nu geïnstalleerd worden. Hiervoor zijn beheerdersrechten nodig.`,
    askAdministrator: 'Vraag uw beheerder om een andere versie.',
  },
  update: {
    title: 'Update van Cardwire',
    accept: 'Installeren',
    unmanaged:
      'Cardwire heeft geen dienst die updates aanbiedt: haal ze waar u Cardwire gehaald hebt.',
    unregistered:
      'Cardwire is niet aangemeld bij zijn dienst: start het. Helpt dat niet, vraag het dan uw beheerder.',
    unanswered: (reason) =>
      `De dienst zegt niet welke versie gewenst is. Vraag het uw beheerder. (${reason})`,
    unknown: 'De dienst heeft nog geen regels voor deze versie. Probeer het later opnieuw.',
    current: (version) => `Versie ${version} is de gewenste versie: er is niets bij te werken.`,
    missing: 'Er is geen installatieprogramma voor dit systeem: vraag het uw beheerder.',
    verdict: {
      recommend: (version) => `Een andere versie dan ${version} wordt aanbevolen.`,
      require: (version) => `Versie ${version} is te oud om te gebruiken.`,
      stop: (version) => `Versie ${version} mag niet meer gebruikt worden.`,
    },
    downloading: (what) => `Wordt gedownload: ${what}`,
    withoutDigest: 'De dienst noemt er geen controlegetal voor',
    older: (version) => `Ze is ouder dan ${version}`,
    question: (version) => `Versie ${version} nu installeren?`,
    nothing: 'Er is niets geïnstalleerd.',
    failed: (reason) => `Er is niets geïnstalleerd. (${reason})`,
    withoutInstaller: (path) =>
      `Dit systeem heeft er geen installatieprogramma voor; het bestand is ${path}`,
    needsAdministrator: (command) => `Een beheerder moet het installeren: ${command}`,
    installed: (version) => `Versie ${version} is geïnstalleerd.`,
    otherInstalled: (version) =>
      `De installatie is afgelopen, en versie ${version} is geïnstalleerd.`,
    ended: (status) => `De installatie is mislukt, met status ${status}.`,
  },
}
