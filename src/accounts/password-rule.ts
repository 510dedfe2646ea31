/** The only password rule; sign-up, reset and the live indicators all use it. */
export const passwordRule = {
  minimum: 8,
  maximum: 20,
  symbols: "!@#$%^&*",
  message: "Password must be 8-20 characters and include at least one number and one symbol.",
} as const;

export function passwordHasLength(password: string): boolean {
  return password.length >= passwordRule.minimum && password.length <= passwordRule.maximum;
}

export function passwordHasContent(password: string): boolean {
  return /[0-9]/.test(password) && /[!@#$%^&*]/.test(password) && /^[A-Za-z0-9!@#$%^&*]*$/.test(password);
}
