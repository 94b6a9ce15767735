import { useMutation } from '@tanstack/react-query'
import { localDay, recentText } from '../web/parts/format.ts'
import { Problem } from '../web/parts/frame.tsx'
import { tell } from '../web/parts/notices.tsx'
import { errorText, t } from '../web/texts/texts.ts'
import { saveDone } from './my-queries.ts'
import { myText } from './my-texts.ts'

interface DoneTodayProps {
  readonly logInId: string
  readonly workout: { readonly id: number; readonly doneDays: readonly string[] }
}

/** Says that the patient has done the workout today. The answer of the service decides what is shown. */
export function DoneToday({ logInId, workout: { id, doneDays } }: DoneTodayProps) {
  const save = useMutation({
    mutationFn: (isDone: boolean) => saveDone(logInId, id, { day: localDay(), isDone }),
    onSuccess: (_answer, isDone) =>
      tell({ subject: 'workout', tone: 'success', title: myText(isDone ? 'saidDone' : 'saidNotDone') }),
  })
  const isDone = save.isPending ? save.variables : doneDays.includes(localDay())
  return (
    <div className="card my-done screen-only">
      <label>
        <input
          type="checkbox"
          checked={isDone}
          aria-describedby="done-facts"
          data-testid="done-today"
          onChange={({ currentTarget }) => save.isPending || save.mutate(currentTarget.checked)}
        />
        <b>{t('workouts.doneToday')}</b>
      </label>
      <span id="done-facts" className="dimmed">
        {doneDays.length > 0 && `${recentText(doneDays)} · `}
        {myText('doneHint')}
      </span>
      {save.error && <Problem>{errorText(save.error, 'myWorkout')}</Problem>}
    </div>
  )
}
