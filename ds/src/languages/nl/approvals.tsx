/** The texts of changes that need a second administrator in Dutch. */
import type { Texts } from '../en/catalog.ts'
import { createNumbers } from '../numbers.ts'

const { count } = createNumbers('nl')

export const approvals: Texts['approvals'] = {
  title: 'Goedkeuringen',
  about:
    'Deze wijzigingen hebben gevolgen voor zo veel apparaten dat een tweede beheerder of releasebeheerder ze moet goedkeuren. Een aanvraag vervalt na 24 uur.',
  empty: 'Er wachten geen wijzigingen op goedkeuring.',
  requested: (who, time) => (
    <>
      Aangevraagd door {who} op {time}.
    </>
  ),
  expires: (time) => <>Vervalt op {time}.</>,
  reach: (devices) =>
    `Op het moment van de aanvraag zou dit gevolgen hebben gehad voor ${count(devices, 'apparaat', 'apparaten')}.`,
  reachNow: (devices) =>
    `Nu zou dit gevolgen hebben voor ${count(devices, 'apparaat', 'apparaten')}.`,
  changedSince:
    'Sindsdien is er iets gewijzigd aan versies of hun uitrol, groepen, configuraties of installatieprogramma’s. De wijziging moet opnieuw worden aangevraagd.',
  own: 'Een andere beheerder of releasebeheerder moet deze wijziging goedkeuren.',
  state: (state) => `Nieuwe status: ${state}`,
  approve: 'Goedkeuren',
  decline: 'Afwijzen',
  cancel: 'Aanvraag intrekken',
  next: 'Wijzigingen bekijken die op goedkeuring wachten',
}
