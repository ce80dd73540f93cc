/** What a page says when a change is refused, in Dutch, by the name of the problem: what is wrong, and what to do. */
import type { problems as english } from '../en/problems.ts'

export const problems: typeof english = {
  'body-malformed':
    'Het formulier kon niet worden gelezen. Laad de pagina opnieuw en probeer het nog eens.',
  'input-invalid': 'Niet alle velden zijn juist ingevuld.',
  'body-too-large':
    'Dit is te groot om te verzenden. Kies een kleiner bestand of kort de tekst in.',
  'length-required': 'Het bestand kon niet worden verzonden. Probeer een andere browser.',
  'request-too-slow':
    'Het verzenden duurde te lang. Controleer uw verbinding en probeer het opnieuw.',
  'too-many-requests': 'Te veel verzoeken. Wacht even en probeer het opnieuw.',
  'digest-mismatch':
    'Het bestand komt niet overeen met de hash. Controleer beide en upload het bestand opnieuw.',
  'revision-mismatch':
    'Iemand anders heeft dit gewijzigd. Laad de pagina opnieuw om de actuele gegevens te zien.',
  'changed-meanwhile': 'Iemand anders heeft tegelijk iets gewijzigd. Probeer het opnieuw.',
  'group-unknown': 'Deze groep bestaat niet meer. Ga terug naar de lijst.',
  'group-taken': 'Een andere groep heeft deze naam al. Kies een andere naam.',
  'webhook-unknown': 'Deze webhook bestaat niet meer. Ga terug naar de lijst.',
  'webhook-limit': 'Er zijn al 20 webhooks. Verwijder er een die u niet meer nodig hebt.',
  'webhook-address-refused':
    'De URL moet met https:// beginnen en mag niet naar een privé- of lokaal adres verwijzen.',
  'delivery-unknown': 'Deze poging wordt niet meer bewaard. Laad de pagina opnieuw.',
  'group-limit': 'Er zijn al 100 groepen. Verwijder er een die u niet meer nodig hebt.',
  'group-in-use':
    'Een configuratie of uitrol gebruikt deze groep nog. Verwijder de groep daar eerst.',
  'group-untrusted':
    'Een groep kan alleen een keystore hebben als elke regel een tag vereist die beheerders hebben toegekend. Alle andere waarden melden apparaten namelijk zelf.',
  'change-unknown':
    'Deze bulkwijziging bestaat niet meer of is meer dan 30 dagen oud. Ga terug naar de lijst.',
  'change-taken':
    'Dit formulier hoort bij een andere wijziging. Open de lijst met apparaten en begin opnieuw.',
  'second-administrator':
    'Een andere beheerder of releasebeheerder moet deze wijziging goedkeuren. Uw aanvraag blijft 24 uur onder ‘Goedkeuringen’ staan. Een account dat een beheerder in de laatste 7 dagen heeft toegevoegd of gewijzigd, kan de wijziging niet goedkeuren.',
  'approval-limit':
    'Deze wijziging moet worden goedgekeurd, maar er wachten al te veel wijzigingen op goedkeuring. Het maximum is 10 per account en 50 in totaal. Trek er een in onder ‘Goedkeuringen’.',
  'approval-unknown': 'Deze wijziging wacht niet meer op goedkeuring. Ga terug naar de lijst.',
  'reach-exceeded':
    'Deze wijziging heeft nu gevolgen voor meer apparaten dan u hebt bevestigd. Controleer het nieuwe aantal en bevestig opnieuw.',
  'grant-refused': 'Het aanmelden is mislukt. Probeer het opnieuw.',
  'role-missing': 'U bent niet gemachtigd om dit te doen. Vraag het aan een beheerder.',
  'password-change-required': 'Wijzig eerst uw wachtwoord.',
  'second-factor-setup-required': 'Stel eerst tweefactorauthenticatie in.',
  'password-refused': 'Het wachtwoord is onjuist. Probeer het opnieuw.',
  'code-refused': 'De code is onjuist. Voer de actuele code uit uw authenticator-app in.',
  'second-factor-unknown':
    'Tweefactorauthenticatie staat uit. Laad de pagina opnieuw om de actuele instellingen te zien.',
  'second-factor-taken':
    'Tweefactorauthenticatie staat al aan. Laad de pagina opnieuw om de actuele instellingen te zien.',
  'service-busy': 'De server heeft het nu te druk. Probeer het zo meteen opnieuw.',
  'service-stopping': 'De server wordt opnieuw gestart. Probeer het zo meteen opnieuw.',
  'database-unavailable': 'De database is niet beschikbaar. Probeer het zo meteen opnieuw.',
  'packages-unavailable':
    'Bestanden kunnen nu niet worden gelezen of gewijzigd. Zie het serverlogboek.',
  'provider-unreachable':
    'De aanmelddienst van uw organisatie is niet beschikbaar. Probeer het zo meteen opnieuw.',
  'disk-full': 'De schijf van de server is vol. Maak ruimte vrij en probeer het opnieuw.',
  'disk-failed': 'De schijf van de server heeft een fout gemeld. Zie het serverlogboek.',
  internal: 'Er is een onverwachte fout opgetreden. Zie het serverlogboek.',
  'version-taken':
    'Deze versie bestaat al. Open de versie om die te wijzigen, of kies een andere versie.',
  'version-in-use': 'Deze versie heeft nog configuraties. Verwijder die eerst.',
  'version-unknown': 'Deze versie bestaat niet meer. Ga terug naar de lijst.',
  'rollout-unknown': 'Deze uitrol bestaat niet meer. Ga terug naar de lijst.',
  'rollout-taken': 'Voor deze versie is er al een uitrol. Open die of kies een andere versie.',
  'rollout-started':
    'Deze uitrol is al gestart en kan niet meer worden bewerkt. U kunt de uitrol stopzetten.',
  'rollout-state':
    'Dit kan niet bij de huidige status van de uitrol. Laad de pagina opnieuw om de status te zien.',
  'version-unsuitable':
    'Deze versie kan niet worden uitgerold. Een versie voor een uitrol moet toegestaan zijn, en niet aanbevolen of vereist.',
  'version-in-rollout': 'Voor deze versie is er een uitrol. Voltooi of verwijder die eerst.',
  'installer-in-use':
    'Een versie of keystore gebruikt dit bestand. Verwijder het daar eerst of kies een andere naam.',
  'installer-unknown': 'Dit bestand bestaat niet meer. Ga terug naar de lijst.',
  'installers-missing':
    'Op sommige apparaten zou de connector stoppen zonder dat er een update is. Voeg een installatieprogramma voor hun systeem toe of kies ‘Toch doorgaan’.',
  'keystore-in-use': 'Deze keystore wordt door een configuratie gebruikt. Kies een andere naam.',
  'keystore-unknown': 'Deze keystore bestaat niet meer. Ga terug naar de lijst.',
  'keystore-locked':
    'Met dit wachtwoord gaat de keystore niet open. Voer het wachtwoord in waarmee het bestand is gemaakt.',
  'keystore-unreadable':
    'Dit bestand is niet te openen als keystore. Exporteer de sleutel en het certificaat opnieuw als PKCS #12-bestand (.p12 of .pfx) met een wachtwoord.',
  'keystore-unusable':
    'Connectors kunnen deze keystore niet gebruiken. Nodig zijn een servercertificaat met hostnamen en de bijbehorende privésleutel.',
  'keystore-expired':
    'Het certificaat in deze keystore is verlopen. Upload een keystore met een geldig certificaat.',
  'configurations-large':
    'De configuraties van een versie mogen samen niet groter zijn dan 4 MB. Kort er een in of verwijder er een die u niet meer nodig hebt.',
  'configuration-taken':
    'Deze versie heeft deze configuratie al. Bewerk de bestaande configuratie of verwijder die eerst.',
  'allowlist-missing':
    'Apparaten zouden een update krijgen naar een versie zonder allowlist. Geen enkele website zou hun kaartlezers dan nog kunnen gebruiken. Voeg eerst de allowlist toe.',
  'revision-unknown':
    'Deze revisie bestaat niet meer of kan niet worden teruggezet. Kies een andere.',
  'configuration-moved':
    'Een configuratie kan niet naar een andere versie of organisatie worden verplaatst. Voeg daar een nieuwe toe.',
  'configuration-unknown': 'Deze configuratie bestaat niet meer. Ga terug naar de lijst.',
  'organization-taken': 'Deze organisatie bestaat al. Kies een andere naam.',
  'organization-in-use': 'Deze organisatie heeft nog toepassingen. Verwijder die eerst.',
  'organization-unknown': 'Deze organisatie bestaat niet meer. Ga terug naar de lijst.',
  'label-taken': 'Deze toepassing bestaat al. Kies een andere naam.',
  'label-moved':
    'Een toepassing kan niet naar een andere organisatie worden verplaatst. Voeg daar een nieuwe toe.',
  'label-unknown': 'Deze toepassing bestaat niet meer. Ga terug naar de lijst.',
  'api-key-taken': 'Een andere toepassing heeft deze API-sleutel al. Maak een nieuwe.',
  'signing-key-unknown': 'Deze ondertekeningssleutel bestaat niet meer. Ga terug naar de lijst.',
  'administrator-taken': 'Er bestaat al een account met deze naam. Kies een andere naam.',
  'administrator-last': 'Er is minstens één beheerder nodig. Voeg eerst een andere beheerder toe.',
  'administrator-self':
    'U kunt dit niet met uw eigen account doen. Vraag het aan een andere beheerder.',
  'administrator-unknown': 'Dit account bestaat niet meer. Ga terug naar de lijst.',
  'api-client-taken': 'Er bestaat al een API-client met deze ID. Kies een andere ID.',
  'api-client-limit':
    'Het maximale aantal API-clients of aanmeldgegevens is bereikt. Verwijder wat u niet meer nodig hebt.',
  'api-client-unknown':
    'Deze API-client of deze aanmeldgegevens bestaan niet meer. Ga terug naar de lijst.',
  'program-refused': 'API-clients kunnen dit niet doen. Meld u aan met uw eigen account.',
  'session-unknown':
    'Deze sessie is al beëindigd. Laad de pagina opnieuw om de open sessies te zien.',
  'device-unknown': 'Dit apparaat bestaat niet meer. Ga terug naar de lijst.',
  'logs-unknown': 'Deze logboeken bestaan niet meer. Ga terug naar het apparaat.',
}
