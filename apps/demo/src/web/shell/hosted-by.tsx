import { Text } from '@mantine/core'
import { useEffect, useState } from 'react'
import { currentHost } from '../bridge/host.ts'

/** Which wrapper shows the web app, for whoever is asked by its support; nothing in an ordinary browser. */
export function HostedBy() {
  const [text, setText] = useState<string>()
  useEffect(() => {
    let isShown = true
    void currentHost()?.info.then(info => {
      if (info && isShown) setText([info.distributorName, info.version].filter(Boolean).join(' '))
    })
    return () => {
      isShown = false
    }
  }, [])
  if (text === undefined) return null
  return (
    <Text size="xs" c="#5a6a69" px="sm" mt="auto" data-testid="hosted-by">
      {text}
    </Text>
  )
}
