import type { WrapperTexts } from './wrapper-texts.ts'

export const texts: WrapperTexts = {
  trayShow: '{name} anzeigen',
  traySignOut: 'Abmelden',
  trayClose: 'Beenden',
  unreachableTitle: '{name} ist nicht erreichbar',
  unreachableReason:
    'Prüfen Sie die Netzwerkverbindung. Diese Seite verschwindet von selbst, sobald der Dienst antwortet; wartende Befehle werden dann ausgeführt. Geben Sie die folgende Meldung an den Support weiter, wenn das Problem bestehen bleibt.',
  unreachableRetry: 'Erneut versuchen',
  crashedTitle: '{name} kann nicht angezeigt werden',
  crashedReason:
    'Die Seite ist mehrmals ausgefallen. Das Programm versucht es nach einer Weile erneut. Wenden Sie sich an den Support, wenn das Problem bestehen bleibt.',
  crashedRetry: 'Erneut versuchen',
  updateAvailable: 'Eine neuere Version von {name} ist verfügbar: {version}.',
  updateFollow: 'Herunterladen',
  closesForUpdate:
    'Eine neue Version von {name} wird installiert. Speichern Sie Ihre Arbeit: Das Programm wird in spätestens zwei Minuten beendet und danach wieder gestartet.',
  signOnRefused:
    'Die Anmeldung aus dem anderen Programm wurde abgelehnt. Öffnen Sie die Person dort noch einmal.',
  signOnUnreachable:
    'Die Anmeldung aus dem anderen Programm hat den Dienst nicht erreicht. Öffnen Sie die Person dort noch einmal.',
  noticeDismiss: 'Schließen',
  startFailedTitle: '{name} konnte nicht gestartet werden',
  startFailedAdvice:
    'Versuchen Sie es erneut. Wenn {name} weiterhin nicht startet, geben Sie die folgende Meldung an den Support weiter.',
  startFailedLastingAdvice:
    'Ein erneuter Versuch hilft nicht. Geben Sie die folgende Meldung an die Systemverwaltung dieses Computers weiter.',
  lostTitle: '{name} wurde beendet',
  lostAdvice:
    'Das Fenster ist mehrmals ausgefallen. Starten Sie {name} neu. Wenden Sie sich an den Support, wenn das Problem bestehen bleibt.',
  logPlace: 'Das Protokoll: {file}',
}
