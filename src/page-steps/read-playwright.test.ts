import { expect, test } from "vitest";
import { describeStep } from "./describe-step.ts";
import { readRecording } from "./read-recording.ts";

const codegen = `import { test, expect } from '@playwright/test';

test('test', async ({ page }) => {
  await page.goto('https://shop.example/');
  await page.getByRole('link', { name: 'Sign in' }).click();
  await page.getByLabel('User').fill('ana');
  await page.getByPlaceholder('Password').fill('it\\'s "hunter2" 😀');
  await page.getByRole('textbox', { name: 'Password' }).press('Enter');
  await page.locator('#country').selectOption('DE');
  await page.getByTestId('newsletter').check();
  await page.getByText('Prices', { exact: true }).first().dblclick();
  await page.getByRole('row').hover();
  await page.locator('xpath=//table//td').click();
  const page1Promise = page.waitForEvent('popup');
  await page.getByText('Details').click();
  const page1 = await page1Promise;
  await page1.waitForURL('**/details/**');
  await page1.getByRole('textbox').press('ControlOrMeta+a');
  await page1.setViewportSize({ width: 800, height: 600 });
});
`;

test("the calls of Playwright's codegen become steps, and what is filled into a password field a secret", () => {
  const { steps, secrets, refused } = readRecording(codegen);
  expect(refused).toEqual([]);
  expect(secrets).toEqual([{ name: "password", value: `it's "hunter2" 😀` }]);
  expect(steps.map(describeStep)).toEqual([
    "Open https://shop.example/",
    "Click “Sign in”",
    "Enter “ana” in “User”",
    'Enter “{{secret.password}}” in [placeholder="Password"]',
    "Press Enter",
    "Enter “DE” in #country",
    'Click [data-testid="newsletter"]',
    "Double-click “Prices”",
    'Hover over aria/[role="row"]',
    "Click xpath///table//td",
    "Click “Details”",
    "Wait for the URL */details/*",
    "Press Control",
    "Press a",
    "Release Control",
    "Set the window to 800 × 600",
  ]);
  expect(steps[1]).toEqual({ type: "click", selectors: [['aria/Sign in[role="link"]']] });
});

test("calls that can't be taken over are left out with their line and a sentence", () => {
  const { steps, refused } = readRecording(`await page.goto('https://a.example/');
await expect(page.getByText('Hello')).toBeVisible();
await page.getByRole('button').nth(3).click();
await page.frameLocator('iframe').getByText('Pay').click();
await page.evaluate(() => fetch('https://evil.example/'));
await page.getByText(/pay/i).click();
await page.waitForTimeout(5000);
await page.getByLabel('File').setInputFiles('a.txt');
await page.getByLabel('User').fill(process.env.USER);
await page.getByText('Pay').click();`);
  expect(steps.map(describeStep)).toEqual(["Open https://a.example/", "Click “Pay”"]);
  expect(refused).toEqual([
    "Line 2 is left out: it checks something, which the conditions of a job do.",
    "Line 3 is left out: “.nth()” can’t be imported. Write a CSS selector for the element in the step.",
    "Line 4 is left out: “.frameLocator()” can’t be imported. Write a CSS selector for the element in the step.",
    "Line 5 is left out: “evaluate” can’t be run here.",
    "Line 6 is left out: its element is found by a pattern. Write a CSS selector in the step.",
    "Line 7 is left out: steps wait by conditions, not for a time.",
    "Line 8 is left out: “.setInputFiles()” can’t be run here.",
    "Line 9 is left out: what it enters isn’t written as text.",
  ]);
});
