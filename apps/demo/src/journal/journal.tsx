import { Anchor, Box, Button, Group, NativeSelect, Paper, SimpleGrid, Text, Title } from '@mantine/core'
import { submitPayload } from '@service-link/jwt-payload/browser'
import { drawPage } from '@service-link/ui'
import { parseResponse } from 'hono/client'
import { useState } from 'react'
import { ask } from '../launcher/ask.ts'
import { PartnerBar } from '../launcher/partner-bar.tsx'
import { clinic, employees, patientName, patients } from './patients.ts'
import { submitProblem } from './submit-problem.ts'
import { dayText, t } from './texts.ts'

const { address } = await parseResponse(ask.launcher.facts.$get())

/** Each patient has a button that opens the service in a new tab (specification 4.1). */
function Journal() {
  const [employeeId, setEmployeeId] = useState(employees[0]?.employeeId ?? '')
  const [openingId, setOpeningId] = useState<string>()
  const [problem, setProblem] = useState('')
  // A click opens a tab at once, because browsers block later ones. Its payload follows.
  const open = async (patientId: string) => {
    setOpeningId(patientId)
    setProblem('')
    const options = { init: { signal: AbortSignal.timeout(20_000) } }
    const payload = parseResponse(ask.payload.$post({ json: { patientId, employeeId } }, options))
    try {
      await submitPayload(
        address,
        payload.then(signed => signed.payload),
        { waitingText: t('opening') },
      )
    } catch (error) {
      setProblem(submitProblem(error))
    } finally {
      setOpeningId(undefined)
    }
  }
  return (
    <>
      <PartnerBar title={t('title')} subtitle={clinic.organizationName}>
        <Anchor href="/launcher" c="inherit" underline="always">
          {t('launcher')}
        </Anchor>
        <Group component="label" gap="xs">
          {t('user')}
          <NativeSelect
            data-testid="employee"
            value={employeeId}
            onChange={({ currentTarget }) => setEmployeeId(currentTarget.value)}
            data={employees.map(({ employeeId: value, employeeFirstname, employeeLastname }) => ({
              value,
              label: `${employeeFirstname} ${employeeLastname}`,
            }))}
          />
        </Group>
      </PartnerBar>
      <Box component="main" maw="60rem" mx="auto" p="md">
        <Title order={2}>{t('patients')}</Title>
        <Text role="status" c="var(--text-danger)" mih="1.5em">
          {problem}
        </Text>
        <Paper component="ul" className="plain-list">
          {patients.map((patient, index) => (
            <SimpleGrid
              component="li"
              key={patient.id}
              cols={{ base: 1, sm: 4 }}
              verticalSpacing={4}
              px="sm"
              py="xs"
              style={{ alignItems: 'center', borderTop: index > 0 ? '1px solid var(--border)' : 0 }}
            >
              <Text fw={600}>
                <bdi>{patientName(patient)}</bdi>
              </Text>
              <Text>{t('born', { date: dayText(patient.birthdate) })}</Text>
              <Text>{t('diagnosis', { code: patient.diagnosis })}</Text>
              <Button
                variant="default"
                disabled={openingId === patient.id}
                aria-label={t('openPatient', { patient: patientName(patient) })}
                data-testid={`open-${patient.id}`}
                onClick={() => open(patient.id)}
              >
                {t('open')}
              </Button>
            </SimpleGrid>
          ))}
        </Paper>
      </Box>
    </>
  )
}

drawPage(<Journal />)
