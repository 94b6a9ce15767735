import { MultiSelect, NumberInput, Select, SimpleGrid, TextInput } from '@mantine/core'
import type { useForm } from '@mantine/form'
import type { Launch } from '../launch.ts'

export type LaunchForm = ReturnType<typeof useForm<Launch>>

type Choice = string | { readonly value: string; readonly label: string }

export interface Field {
  /** Place in the launch, such as `claims.contact.id`. It is the test id too. */
  readonly path: string
  readonly label: string
  /** Default `text`. An empty text or number is `undefined`, or the empty text where the launch has text. */
  readonly kind?: 'text' | 'number' | 'choice' | 'choices'
  readonly data?: readonly Choice[]
  readonly placeholder?: string | undefined
}

/** Fields of a launch, by a table. */
export function Fields({ form, fields }: { readonly form: LaunchForm; readonly fields: readonly Field[] }) {
  return (
    <SimpleGrid
      minColWidth="min(100%, max(145px, 45%))"
      spacing="xs"
      verticalSpacing={6}
      style={{ alignItems: 'end' }}
    >
      {fields.map(field => (
        <FieldOf key={field.path} form={form} {...field} />
      ))}
    </SimpleGrid>
  )
}

function FieldOf({
  form,
  path,
  label,
  kind = 'text',
  data = [],
  placeholder,
}: Field & { readonly form: LaunchForm }) {
  const { value, ...input } = form.getInputProps(path)
  const props = { label, size: 'xs', placeholder, ...input, 'data-testid': path } as const
  const set = (changed: unknown) => form.setFieldValue(path, changed as never)
  switch (kind) {
    case 'choice':
      return <Select {...props} value={value} data={[...data]} allowDeselect={false} />
    case 'choices':
      return <MultiSelect {...props} value={value} data={[...data]} />
    case 'number':
      return (
        <NumberInput
          {...props}
          value={value ?? ''}
          onChange={given => set(given === '' ? undefined : given)}
        />
      )
    case 'text':
      return (
        <TextInput
          {...props}
          value={textOf(value)}
          onChange={({ currentTarget }) =>
            set(currentTarget.value === '' && path.startsWith('claims.') ? undefined : currentTarget.value)
          }
        />
      )
  }
}

/** Claims of another type come from the JSON view. */
function textOf(value: unknown): string {
  return value === undefined ? '' : typeof value === 'string' ? value : JSON.stringify(value)
}
