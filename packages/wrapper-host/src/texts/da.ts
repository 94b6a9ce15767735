import type { WrapperTexts } from './wrapper-texts.ts'

export const texts: WrapperTexts = {
  trayShow: 'Vis {name}',
  traySignOut: 'Log ud',
  trayClose: 'Afslut',
  unreachableTitle: 'Der er ingen forbindelse til {name}',
  unreachableReason:
    'Kontrollér netværksforbindelsen. Denne side forsvinder af sig selv, når tjenesten svarer, og ventende kommandoer bliver da udført. Giv meddelelsen nedenfor til support, hvis problemet fortsætter.',
  unreachableRetry: 'Prøv igen',
  crashedTitle: '{name} kan ikke vises',
  crashedReason:
    'Siden er stoppet flere gange. Programmet prøver igen om lidt. Kontakt support, hvis problemet fortsætter.',
  crashedRetry: 'Prøv igen',
  updateAvailable: 'Der findes en nyere version af {name}: {version}.',
  updateFollow: 'Hent',
  closesForUpdate:
    'En ny version af {name} er ved at blive installeret. Gem dit arbejde: Programmet lukker senest om to minutter og starter igen.',
  signOnRefused: 'Log på fra det andet program blev afvist. Åbn personen derfra igen.',
  signOnUnreachable: 'Log på fra det andet program nåede ikke frem til tjenesten. Åbn personen derfra igen.',
  noticeDismiss: 'Luk',
  startFailedTitle: '{name} kunne ikke starte',
  startFailedAdvice: 'Prøv igen. Hvis {name} stadig ikke starter, så giv meddelelsen nedenfor til support.',
  startFailedLastingAdvice:
    'Det hjælper ikke at prøve igen. Giv meddelelsen nedenfor til computerens administrator.',
  lostTitle: '{name} er afsluttet',
  lostAdvice:
    'Vinduet holdt op med at virke flere gange. Start {name} igen. Kontakt support, hvis problemet fortsætter.',
  logPlace: 'Loggen: {file}',
}
