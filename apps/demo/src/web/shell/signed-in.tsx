import { Button, Group, Text, Tooltip } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import type { Employee } from '../api/queries.ts'
import { tell } from '../notices/notices.tsx'
import { signOut } from '../session/log-in.ts'
import { SignOutIcon } from './icons.tsx'
import { LinkedApplications } from './linked-applications.tsx'

/** Who is signed in, from which applications they come straight in, and the way out. */
export function SignedIn({ employee }: { readonly employee: Employee }) {
  const leave = useMutation({
    mutationFn: signOut,
    onError: error =>
      tell({ subject: 'account', tone: 'warning', title: 'Not signed out', text: error.message }),
  })
  return (
    <Group gap="sm" wrap="nowrap">
      <div style={{ textAlign: 'right', lineHeight: 1.25 }}>
        <Text size="sm" fw={600} data-testid="signed-in-as" data-account-id={employee.accountId}>
          {employee.name}
        </Text>
        <Text size="xs" c="#5a6a69" className="wide-only">
          {employee.organizationName}
        </Text>
      </div>
      <LinkedApplications />
      <Tooltip label="End the session in this browser">
        <Button
          variant="default"
          size="sm"
          leftSection={<SignOutIcon />}
          style={{ flexShrink: 0 }}
          data-testid="sign-out"
          loading={leave.isPending}
          onClick={() => leave.mutate()}
        >
          Sign out
        </Button>
      </Tooltip>
    </Group>
  )
}
