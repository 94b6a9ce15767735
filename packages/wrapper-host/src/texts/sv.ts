import type { WrapperTexts } from './wrapper-texts.ts'

export const texts: WrapperTexts = {
  trayShow: 'Visa {name}',
  traySignOut: 'Logga ut',
  trayClose: 'Avsluta',
  unreachableTitle: 'Det går inte att nå {name}',
  unreachableReason:
    'Kontrollera nätverksanslutningen. Den här sidan försvinner av sig själv när tjänsten svarar, och då utförs väntande kommandon. Ge supporten meddelandet nedan om problemet kvarstår.',
  unreachableRetry: 'Försök igen',
  crashedTitle: '{name} kan inte visas',
  crashedReason:
    'Sidan har slutat fungera flera gånger. Programmet försöker igen om en stund. Kontakta supporten om problemet kvarstår.',
  crashedRetry: 'Försök igen',
  updateAvailable: 'Det finns en nyare version av {name}: {version}.',
  updateFollow: 'Ladda ned',
  closesForUpdate:
    'En ny version av {name} installeras. Spara ditt arbete: programmet avslutas inom två minuter och startar sedan igen.',
  signOnRefused: 'Inloggningen från det andra programmet nekades. Öppna personen därifrån igen.',
  signOnUnreachable:
    'Inloggningen från det andra programmet nådde inte fram till tjänsten. Öppna personen därifrån igen.',
  noticeDismiss: 'Stäng',
  startFailedTitle: '{name} kunde inte starta',
  startFailedAdvice: 'Försök igen. Om {name} fortfarande inte startar, ge supporten meddelandet nedan.',
  startFailedLastingAdvice:
    'Det hjälper inte att försöka igen. Ge meddelandet nedan till datorns administratör.',
  lostTitle: '{name} har avslutats',
  lostAdvice:
    'Fönstret slutade fungera flera gånger. Starta {name} igen. Kontakta supporten om problemet kvarstår.',
  logPlace: 'Loggen: {file}',
}
