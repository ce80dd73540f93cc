/** The texts of the download page in Dutch. */
import type { Texts } from '../en/catalog.ts'

export const download: Texts['download'] = {
  title: 'Cardwire downloaden',
  otherComputer: 'Voor een andere computer',
  noInstaller: (system) =>
    `Er is nog geen installatieprogramma voor ${system}. Vraag de organisatie die u hierheen heeft verwezen, wanneer het beschikbaar komt.`,
  fileMissing: (system) =>
    `Het installatieprogramma voor ${system} kan nu niet worden gedownload. Probeer het later opnieuw. Helpt dat niet, neem dan contact op met de organisatie die u hierheen heeft verwezen.`,
  choose:
    'We konden uw computer niet herkennen. Cardwire werkt niet op telefoons en tablets. Kies de computer met uw kaartlezer:',
  nothing: 'Er is nog niets om te downloaden.',
  package: (system, kind, architecture) => `${system}: ${kind} (${architecture})`,
}
