import '../../../web/styles.css'
import './launcher.css'
import { Anchor, Group, Select, SimpleGrid, Stack, Text, TextInput, Title } from '@mantine/core'
import { useForm } from '@mantine/form'
import { isRefusalCode } from '@service-link/jwt-payload'
import { parseResponse } from 'hono/client'
import { StrictMode, useEffect, useState } from 'react'
import { createRoot } from 'react-dom/client'
import { Look } from '../../../web/parts/look.tsx'
import { fieldsOf, type Launch, type LauncherFacts, requestOf, startLaunch } from '../launch.ts'
import { presets } from '../presets.ts'
import { Card, Copy } from './card.tsx'
import { ClaimsCard } from './claims-card.tsx'
import { CopyCard } from './copy-card.tsx'
import { randomSecret, type TypedKeys } from './keys.ts'
import { registerOwn, type SignedLaunch, signLaunch } from './launch-state.ts'
import { fragmentOf, launchOfFragment } from './link.ts'
import { RegisterCard } from './register-card.tsx'
import { ask, sentenceOf } from './server.ts'
import { SigningCard } from './signing-card.tsx'
import { TokenView } from './token-view.tsx'
import { type Sent, VerdictCard } from './verdict-card.tsx'

function LauncherPage({ facts }: { readonly facts: LauncherFacts }) {
  const form = useForm<Launch>({ initialValues: launchOfFragment(location.hash, facts) })
  const [typed, setTyped] = useState<TypedKeys>(() => ({ pasted: '', secret: randomSecret() }))
  const [signed, setSigned] = useState<SignedLaunch>()
  const [keyProblem, setKeyProblem] = useState<string>()
  const [postProblem, setPostProblem] = useState<string>()
  const [sent, setSent] = useState<readonly Sent[]>([])
  const [isBusy, setBusy] = useState(false)
  const [preset, setPreset] = useState<string | null>(null)
  const launch = form.values
  const path = `${location.pathname}${fragmentOf(launch, facts)}`

  useEffect(() => {
    let isOld = false
    const sign = setTimeout(async () => {
      try {
        const result = await signLaunch(launch, typed, facts)
        if (isOld) return
        setSigned(result)
        setKeyProblem(undefined)
      } catch (error) {
        if (!isOld) setKeyProblem(sentenceOf(error))
      }
    }, 120)
    history.replaceState(null, '', path)
    return () => {
      isOld = true
      clearTimeout(sign)
    }
  }, [launch, typed, facts, path])

  useEffect(() => {
    const follow = () => form.setValues(launchOfFragment(location.hash, facts))
    addEventListener('hashchange', follow)
    return () => removeEventListener('hashchange', follow)
  }, [form.setValues, facts])

  /** Signs anew, so that a token never waits, and sends it. */
  const send = async (work: (fresh: SignedLaunch) => Promise<void> | void) => {
    setBusy(true)
    setPostProblem(undefined)
    setSent([])
    try {
      const { key } = await signLaunch(launch, typed, facts)
      await registerOwn(launch, key)
      const fresh = await signLaunch(launch, typed, facts)
      setSigned(fresh)
      await work(fresh)
    } catch (error) {
      setPostProblem(sentenceOf(error))
    } finally {
      setBusy(false)
    }
  }

  const choosePreset = (code: string | null) => {
    const start = { ...startLaunch(facts), address: launch.address }
    form.setValues({ ...start, ...(isRefusalCode(code) ? presets[code].change(start) : {}) })
    setPreset(code)
    setSent([])
  }

  const call = async ({ token }: SignedLaunch, times: number) => {
    const request = requestOf(launch, token)
    for (let count = 0; count < times; count++) {
      const exchange = await parseResponse(ask.call.$post({ json: request }))
      const id = crypto.randomUUID()
      setSent(before => [...before, { id, request, exchange }])
    }
  }

  return (
    <>
      <Group component="header" px="md" py="sm" gap="xs" bg="var(--focus-bar)" c="var(--focus-bar-text)">
        <Title order={1} fz="h3" mr="sm">
          Nordlys Launcher
        </Title>
        <Text>Try the partner link: edit, sign, post, and read why.</Text>
        <Anchor href="/" c="inherit" underline="always" ml="auto">
          Journal
        </Anchor>
      </Group>
      <Stack component="main" className="launcher" maw={1400} mx="auto" p="md">
        <Card title="Launch" side={<Copy label="Copy link to this" text={location.origin + path} />}>
          <SimpleGrid cols={{ base: 1, sm: 2 }}>
            <TextInput
              label="Address of the post"
              description="Of any service: {sso_url}/partner/payload"
              {...form.getInputProps('address')}
            />
            <Select
              label="Preset"
              description="A launch for each refusal"
              placeholder="A right launch"
              clearable
              searchable
              data={presetChoices}
              value={preset}
              onChange={choosePreset}
              data-testid="preset"
            />
          </SimpleGrid>
        </Card>
        <SimpleGrid cols={{ base: 1, sm: 2 }} className="launcher-columns">
          <Stack>
            {/* The JSON view begins anew with each preset. */}
            <ClaimsCard key={preset} form={form} />
            <SigningCard
              form={form}
              launchKey={signed?.key}
              problem={keyProblem}
              typed={typed}
              onType={setTyped}
              canRegister={facts.canRegister && launch.address === facts.address}
            />
          </Stack>
          {signed && <TokenView signed={signed} />}
        </SimpleGrid>
        <VerdictCard
          checks={(keyProblem === undefined && signed?.checks) || []}
          limit={signed?.limit}
          sent={sent}
          isBusy={isBusy}
          problem={postProblem}
          onCall={() => send(fresh => call(fresh, launch.send.times))}
          onPost={target =>
            send(async fresh => {
              // Of several posts of one token the form makes the last.
              await call(fresh, launch.send.times - 1)
              submitForm(launch, fresh.token, target)
            })
          }
        />
        {signed && (
          <CopyCard launch={launch} token={signed.token} keyId={signed.key.keyId} issuer={signed.issuer} />
        )}
        {facts.canRegister && <RegisterCard />}
      </Stack>
    </>
  )
}

const presetChoices = Object.entries(presets).map(([value, { name }]) => ({
  value,
  label: `${name} · ${value}`,
}))

/** Posts as a browser does. A form has no headers and no JSON. */
function submitForm(launch: Launch, token: string, target: string): void {
  const { send, address } = launch
  const form = document.createElement('form')
  const enctype = send.mediaType === 'application/json' ? 'text/plain' : send.mediaType
  Object.assign(form, { action: address + send.path, method: send.method, enctype, target })
  for (const [name, value] of Object.entries(fieldsOf(launch, token))) {
    const field = document.createElement('input')
    Object.assign(field, { type: 'hidden', name, value })
    form.append(field)
  }
  document.body.append(form)
  form.submit()
  form.remove()
}

const facts = await parseResponse(ask.facts.$get())
const root = document.getElementById('root')
if (!root) throw new TypeError('The page has no element for the app.')
createRoot(root).render(
  <StrictMode>
    <Look>
      <LauncherPage facts={facts} />
    </Look>
  </StrictMode>,
)
