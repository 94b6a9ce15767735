import '@mantine/core/styles.css'
import '../../../web/styles.css'
import './launcher.css'
import {
  Anchor,
  Button,
  Code,
  CopyButton,
  Group,
  Select,
  Stack,
  Tabs,
  Text,
  TextInput,
  Title,
} from '@mantine/core'
import { useForm } from '@mantine/form'
import { isRefusalCode } from '@service-link/jwt-payload'
import { parseResponse } from 'hono/client'
import { StrictMode, useEffect, useState } from 'react'
import { createRoot } from 'react-dom/client'
import { Look } from '../../../web/parts/look.tsx'
import { type Launch, type LauncherFacts, requestOf, startLaunch } from '../launch.ts'
import { presets } from '../presets.ts'
import { ClaimsCard } from './claims-card.tsx'
import { copies } from './copy-as.ts'
import { randomSecret, type TypedKeys } from './keys.ts'
import { registerOwn, type SignedLaunch, signLaunch } from './launch-state.ts'
import { fragmentOf, launchOfFragment } from './link.ts'
import { RegisterCard } from './register-card.tsx'
import { SendingFields } from './sending-card.tsx'
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
    history.replaceState(null, '', fragmentOf(launch, facts) || location.pathname)
    return () => {
      isOld = true
      clearTimeout(sign)
    }
  }, [launch, typed, facts])

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
      <header className="launcher-header">
        <Group gap="md">
          <p className="launcher-brand">
            Nordlys <span>Launcher</span>
          </p>
          <Text size="sm">Try the partner link: edit, sign, post, and read why.</Text>
          <Anchor href="/" ml="auto" c="inherit" underline="always">
            Journal
          </Anchor>
        </Group>
      </header>
      <main className="launcher">
        <Title order={1} className="unseen">
          Launcher of the partner link
        </Title>
        <div className="card launcher-card launcher-top">
          <TextInput
            label="Address of the post"
            description="Any service: {sso_url}/partner/payload"
            {...form.getInputProps('address')}
            data-testid="address"
          />
          <Select
            label="Preset"
            description="A launch for each refusal, by its code"
            placeholder="A right launch"
            clearable
            searchable
            data={Object.entries(presets).map(([value, { name }]) => ({
              value,
              label: `${name} · ${value}`,
            }))}
            value={preset}
            onChange={value => {
              setPreset(value)
              const start = { ...startLaunch(facts), address: launch.address }
              form.setValues({ ...start, ...(isRefusalCode(value) ? presets[value].change(start) : {}) })
              setSent([])
            }}
            data-testid="preset"
          />
          <CopyButton value={`${location.origin}${location.pathname}${fragmentOf(launch, facts)}`}>
            {({ copied, copy }) => (
              <Button variant="default" onClick={copy} data-testid="copy-link">
                {copied ? 'Link copied' : 'Copy link to this'}
              </Button>
            )}
          </CopyButton>
        </div>
        <div className="launcher-columns">
          <Stack gap="md">
            {/* The JSON view begins anew with each preset. */}
            <ClaimsCard
              key={preset}
              claims={launch.claims}
              onChange={claims => form.setFieldValue('claims', claims)}
            />
            <SigningCard
              form={form}
              launchKey={signed?.key}
              problem={keyProblem}
              typed={typed}
              onType={setTyped}
              canRegister={facts.canRegister && launch.address === facts.address}
            />
            <SendingFields form={form} />
          </Stack>
          <Stack gap="md">{signed && <TokenView token={signed.token} parts={signed.parts} />}</Stack>
        </div>
        <VerdictCard
          checks={signed?.checks ?? []}
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
        <CopyAs launch={launch} signed={signed} />
        {facts.canRegister && <RegisterCard />}
      </main>
    </>
  )
}

function CopyAs({ launch, signed }: { readonly launch: Launch; readonly signed: SignedLaunch | undefined }) {
  if (!signed) return undefined
  const facts = { launch, token: signed.token, keyId: signed.key.keyId, issuer: signed.issuer }
  return (
    <details className="card launcher-card" data-testid="copy-as">
      <summary>
        <Title order={2} component="span">
          Copy as code
        </Title>
      </summary>
      <Tabs defaultValue="curl" keepMounted={false} mt="xs">
        <Tabs.List>
          {Object.keys(copies).map(name => (
            <Tabs.Tab key={name} value={name}>
              {name}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {Object.entries(copies).map(([name, write]) => (
          <Tabs.Panel key={name} value={name} pt="xs">
            <Text size="sm" mb={6}>
              {name === 'curl'
                ? 'Posts this very token, within the minute that it lives.'
                : 'Signs these claims with a key of yours, in private.pem or secret.txt, with a right clock, and posts.'}
            </Text>
            <CopyButton value={write(facts)}>
              {({ copied, copy }) => (
                <Button size="compact-xs" variant="default" onClick={copy}>
                  {copied ? 'Copied' : 'Copy'}
                </Button>
              )}
            </CopyButton>
            <Code block mt={6} className="whole" tabIndex={0} data-testid={`copy-${name}`}>
              {write(facts)}
            </Code>
          </Tabs.Panel>
        ))}
      </Tabs>
    </details>
  )
}

/** Posts as a browser does. A form has no headers and no JSON. */
function submitForm(launch: Launch, token: string, target: string): void {
  const { send, address } = launch
  const form = document.createElement('form')
  form.action = address + send.path
  form.method = send.method === 'GET' ? 'get' : 'post'
  form.enctype = send.mediaType === 'application/json' ? 'text/plain' : send.mediaType
  form.target = target
  const fields = {
    [send.field]: send.isEscaped ? `&quot;${token}&quot;` : token,
    filler: 'x'.repeat(send.fillerBytes),
  }
  for (const [name, value] of Object.entries(fields)) {
    if (value === '') continue
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
