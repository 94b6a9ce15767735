import { html } from 'hono/html'
import { type LogInProblemCode, logInProblems } from './log-in-problem.ts'

/** Says why a log-in came to nothing, and leads back to where a new one begins. */
export function problemPage(code: LogInProblemCode) {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>Not logged in – My workouts</title>
        <link rel="icon" href="/favicon.svg" type="image/svg+xml" />
        <style>
          body {
            margin: 0;
            min-height: 100vh;
            display: grid;
            place-items: center;
            background: linear-gradient(160deg, #e6f3f1, #f6f8f8 55%);
            color: #1d2b2a;
            font: 1rem/1.5 system-ui, sans-serif;
          }
          main {
            box-sizing: border-box;
            width: min(440px, 100% - 32px);
            padding: 28px;
            background: #fff;
            border: 1px solid #e0e7e6;
            border-radius: 12px;
          }
          h1 {
            margin: 0 0 12px;
            font-size: 1.4rem;
          }
          a {
            display: inline-block;
            margin-top: 8px;
            padding: 10px 18px;
            border-radius: 8px;
            background: #0f766e;
            color: #fff;
            font-weight: 600;
            text-decoration: none;
          }
          a:focus-visible {
            outline: 3px solid #b58a2b;
            outline-offset: 2px;
          }
          small {
            color: #4b5b5a;
          }
        </style>
      </head>
      <body>
        <main data-code="${code}">
          <h1>You are not logged in</h1>
          <p>${logInProblems[code][1]}</p>
          <p><a href="/my">Back to my workouts</a></p>
          <small>${code}</small>
        </main>
      </body>
    </html>`
}
