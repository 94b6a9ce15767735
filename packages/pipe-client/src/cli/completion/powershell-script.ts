import type { CommandWords, CompletionWord } from './completion-words.ts'

/** For Windows PowerShell 5 and PowerShell 7. */
export function powershellScript(commands: readonly CommandWords[], withValue: readonly string[]): string {
  const table = commands.map(
    ({ word, args, options }) =>
      `    ${quote(word)} = @{ args = ${entries(args)}; options = ${entries(options)} }`,
  )
  return `# Completion of service-pipe for PowerShell; service-pipe completion powershell prints it.
Register-ArgumentCompleter -Native -CommandName service-pipe -ScriptBlock {
  param($wordToComplete, $commandAst, $cursorPosition)
  $commands = ${entries(commands)}
  $table = @{
${table.join('\n')}
  }
  $withValue = @(${withValue.map(quote).join(', ')})
  $command = ''
  $skip = ''
  $used = @()
  $typed = @($commandAst.CommandElements | Select-Object -Skip 1 |
    Where-Object { $_.Extent.EndOffset -lt $cursorPosition } | ForEach-Object { $_.Extent.Text })
  foreach ($word in $typed) {
    if ($skip) { $skip = '' }
    elseif ($withValue -contains $word) { $skip = $word }
    elseif ($word -like '-?*') { }
    elseif (-not $command) { $command = $word }
    else { $used += $word.Split('=')[0] }
  }
  if ($skip -eq '--pid') {
    $pids = @(service-pipe list 2>$null | ConvertFrom-Json | ForEach-Object { $_ } | ForEach-Object { "$($_.pid)" })
    $pids | Where-Object { $_ -like "$wordToComplete*" }
    return
  }
  if ($skip) { return }
  $entries = @($commands)
  if ($command) {
    $row = $table[$command]
    if (-not $row) { return }
    $entries = @($row.args)
    if ($wordToComplete -like '-*' -or $entries.Count -eq 0) { $entries = @($row.options) }
  }
  $entries | Where-Object {
    $_.word.StartsWith($wordToComplete) -and $used -notcontains $_.word.TrimEnd('=')
  } | ForEach-Object {
    [System.Management.Automation.CompletionResult]::new($_.word, $_.word, 'ParameterValue', $_.summary)
  }
}
`
}

function entries(words: readonly CompletionWord[]): string {
  return `@(${words
    .map(({ word, summary }) => `@{ word = ${quote(word)}; summary = ${quote(summary || word)} }`)
    .join(', ')})`
}

const quote = (text: string) => `'${text.replaceAll("'", "''")}'`
