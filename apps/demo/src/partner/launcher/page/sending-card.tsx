import { Checkbox, NumberInput, Select, SimpleGrid, Stack, TextInput, Title } from '@mantine/core'
import type { useForm } from '@mantine/form'
import type { Launch } from '../launch.ts'

/** How the token travels. */
export function SendingFields({ form }: { readonly form: ReturnType<typeof useForm<Launch>> }) {
  const { getInputProps } = form
  return (
    <details className="card launcher-card">
      <summary>
        <Title order={2} component="span">
          How it is sent
        </Title>
      </summary>
      <Stack gap="xs" mt="xs">
        <SimpleGrid cols={2} spacing="xs" verticalSpacing={6}>
          <Select
            label="Method"
            size="xs"
            data={['POST', 'GET', 'PUT']}
            allowDeselect={false}
            {...getInputProps('send.method')}
          />
          <Select
            label="Content-Type"
            size="xs"
            data={['application/x-www-form-urlencoded', 'multipart/form-data', 'application/json']}
            allowDeselect={false}
            {...getInputProps('send.mediaType')}
          />
          <TextInput label="Field of the token" size="xs" {...getInputProps('send.field')} />
          <TextInput label="Path below the address" size="xs" {...getInputProps('send.path')} />
          <NumberInput
            label="The same token, times"
            size="xs"
            min={1}
            max={5}
            {...getInputProps('send.times')}
          />
          <NumberInput
            label="Second field, bytes"
            size="xs"
            min={0}
            max={200_000}
            {...getInputProps('send.fillerBytes')}
          />
        </SimpleGrid>
        <Checkbox
          size="xs"
          label="Escaped by an HTML template"
          {...getInputProps('send.isEscaped', { type: 'checkbox' })}
        />
        <Checkbox
          size="xs"
          label="As a page’s script sends it (direct call only)"
          {...getInputProps('send.isScripted', { type: 'checkbox' })}
        />
      </Stack>
    </details>
  )
}
