import { Alert, Skeleton, Stack, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { errorText, t } from '../texts/texts.ts'
import type { Noun } from './pages.tsx'

interface DetailPaneProps<Item> {
  /** Address of the list, for narrow windows. */
  readonly listHref: string
  readonly noun: Noun
  readonly query: { readonly data: Item | undefined; readonly error: Error | null }
  readonly children: (record: Item) => ReactNode
}

/** The right half: one record, or the reason why there is none. */
export function DetailPane<Item>({ listHref, noun, query, children }: DetailPaneProps<Item>) {
  return (
    <section className="card pane-detail" aria-label={t('lists.details')}>
      <Link href={listHref} state={history.state} className="back-link">
        {t(`${noun}s.back`)}
      </Link>
      {query.error ? (
        <Alert color="red" title={t('lists.cannotShow')}>
          {errorText(query.error, noun)}
        </Alert>
      ) : query.data === undefined ? (
        <Stack aria-label={t('app.loading')} role="progressbar">
          <Skeleton height={32} width="60%" />
          <Skeleton height={120} />
        </Stack>
      ) : (
        children(query.data)
      )}
    </section>
  )
}

interface DetailHeadProps {
  readonly name: string
  readonly lang?: string | undefined
  readonly facts?: ReactNode
  /** Buttons or badges beside the name. */
  readonly children: ReactNode
}

/** Name and buttons of a record. */
export function DetailHead({ name, lang, facts, children }: DetailHeadProps) {
  return (
    <div className="row detail-head">
      <div>
        <Title order={2} lang={lang}>
          {name}
        </Title>
        {facts && <p className="dimmed">{facts}</p>}
      </div>
      {children}
    </div>
  )
}
