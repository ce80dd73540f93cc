/** The texts of the screen of the signing keys in French. */
import type { Texts } from '../en/catalog.ts'
import { createNumbers } from '../numbers.ts'

const { count, format } = createNumbers('fr')

export const signingKeys: Texts['signingKeys'] = {
  title: 'Clés de signature',
  about: (overlap) =>
    `Le renouvellement des clés se fait sans interruption. Le service publie d’abord la nouvelle clé, puis commence à signer avec elle après une période de chevauchement de ${overlap}. Ne révoquez une clé que si vous soupçonnez qu’elle a été compromise.`,
  empty: 'Aucune clé pour l’instant. La première clé est créée dès qu’elle est nécessaire.',
  columns: {
    id: 'ID',
    status: 'État',
    algorithm: 'Algorithme',
    created: 'Création',
    signsFrom: 'Signe à partir du',
    actions: 'Actions',
  },
  states: {
    standby: 'En réserve',
    announced: 'Annoncée',
    signing: 'En service',
    retiring: 'En cours de retrait',
  },
  stateMeanings: {
    standby:
      'Publiée, mais pas encore utilisée. Elle signe dès que vous révoquez la clé en service.',
    announced: 'Publiée. Elle commencera à signer à la date indiquée.',
    signing: 'Signe actuellement.',
    retiring:
      'Ne signe plus. Ce qu’elle a signé reste valable pendant la période de chevauchement.',
  },
  uses: {
    application: {
      name: 'application',
      title: 'Jetons d’application',
      about:
        'Les connecteurs utilisent ces clés pour vérifier les jetons d’application des pages web.',
      caption: 'Clés des jetons d’application',
      rotate: 'Renouveler la clé d’application',
      rotateTitle: 'Renouveler la clé des jetons d’application',
      affected: (applications) =>
        applications === 0
          ? 'aucune application (aucune n’a demandé de jeton depuis hier)'
          : count(
              applications,
              'application ayant demandé des jetons depuis hier',
              'applications ayant demandé des jetons depuis hier',
            ),
      uses: (uses, mark) => (
        <>
          Les pages concernées ont utilisé des lecteurs de cartes {mark(format(uses))} fois au cours
          des 30 derniers jours.
        </>
      ),
    },
    administrator: {
      name: 'administrateur',
      title: 'Jetons d’accès des administrateurs',
      about:
        'Le service utilise ces clés pour vérifier les jetons d’accès des administrateurs et de leurs programmes.',
      caption: 'Clés des jetons d’accès des administrateurs',
      rotate: 'Renouveler la clé d’administrateur',
      rotateTitle: 'Renouveler la clé des jetons d’accès des administrateurs',
      affected: (sessions) => count(sessions, 'session ouverte', 'sessions ouvertes'),
    },
    reply: {
      name: 'réponse',
      title: 'Réponses aux connecteurs',
      about:
        'Les connecteurs ne suivent une stratégie que si elle est signée avec l’une de ces clés.',
      caption: 'Clés des réponses aux connecteurs',
      rotate: 'Renouveler la clé de réponse',
      rotateTitle: 'Renouveler la clé des réponses aux connecteurs',
      affected: (devices) => count(devices, 'appareil', 'appareils'),
    },
  },
  rotation: {
    button: 'Renouveler la clé',
    about: (affected, overlap) => (
      <>
        La nouvelle clé est publiée immédiatement et commence à signer dans {overlap}. L’ancienne
        reste ensuite publiée pendant encore {overlap}. Il n’y a donc aucune interruption. Éléments
        concernés : {affected}.
      </>
    ),
    wayBack:
      'Pour annuler ce renouvellement, révoquez la clé annoncée avant qu’elle ne commence à signer.',
  },
  revocation: {
    link: (hide, id) => <>Révoquer{hide(` la clé ${id}`)}</>,
    title: (id) => `Révoquer la clé ${id}`,
    button: 'Révoquer la clé',
    about: (use, state, created) => (
      <>
        {use}. État : {state}. Création : {created}.
      </>
    ),
    effect: (affected) => (
      <>Tout ce qu’elle a signé cesse d’être valide. Éléments concernés : {affected}.</>
    ),
    successor: 'La clé annoncée, ou une nouvelle clé, commence immédiatement à signer.',
    successorKnown: (created, devices, setting, mark) => (
      <>
        La clé suivante a été créée le {created}.{' '}
        {devices === 0 ? (
          'Tous les appareils se sont synchronisés depuis cette date et lui font confiance.'
        ) : (
          <>
            {mark(
              count(
                devices,
                'appareil ne s’est pas synchronisé',
                'appareils ne se sont pas synchronisés',
              ),
            )}{' '}
            depuis cette date. {devices === 1 ? 'Il ne fera' : 'Ils ne feront'} confiance au service
            que lorsque vous y aurez défini {setting}.
          </>
        )}
      </>
    ),
    spare:
      'Une nouvelle clé remplace celle-ci, et les appareils la reçoivent à leur prochaine synchronisation. D’ici là, ne révoquez pas la clé en service, sinon les appareils ne feront plus confiance au service.',
  },
}
