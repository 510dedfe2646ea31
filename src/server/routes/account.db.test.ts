import { randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { SignJWT, UnsecuredJWT } from "jose";
import { sql } from "kysely";
import sharp from "sharp";
import { beforeAll, describe, expect, it } from "vitest";
import { linkToken, type SharedApp, sharedApp } from "../testing/test-app.ts";

let t: SharedApp;
beforeAll(async () => {
  t = await sharedApp();
});

const outcome = (answer: { status: number; body: Record<string, unknown> }) => [
  answer.status,
  answer.body.code,
];

it("the demo sign-in doesn't exist outside demo mode", async () => {
  expect(outcome(await t.call("POST", "/api/auth/demo"))).toEqual([404, "NOT_FOUND"]);
});

describe("sign-up", () => {
  it("mails an activation link, after which the account can sign in", async () => {
    const person = {
      firstname: "李",
      surname: "Ωμέγα",
      email: "New.Person@Example.com",
      password: "abcdefg1!",
    };
    expect(outcome(await t.call("POST", "/api/auth/register", person))).toEqual([200, "REGISTER_SUCCESS"]);
    const mail = await t.mailTo("New.Person@Example.com");
    expect(mail.subject).toBe("Activate your Watchglass account");
    expect(mail.html).toContain(`http://localhost:3000/account/activate/${linkToken(mail)}`);
    const activated = await t.call("GET", `/api/registration/activate/${linkToken(mail)}`);
    expect(outcome(activated)).toEqual([200, "ACTIVATION_SUCCESS"]);
    const login = await t.call("POST", "/api/auth/login", {
      email: "new.person@example.COM",
      password: "abcdefg1!",
    });
    expect(outcome(login)).toEqual([200, "LOGIN_SUCCESS"]);
  });

  it.each<[Record<string, unknown>, string]>([
    [{ firstname: "" }, "First name must be 1-100 characters."],
    [{ firstname: "x".repeat(101) }, "First name must be 1-100 characters."],
    [{ surname: "a\u0007b" }, "Second name must not contain control characters."],
    [{ surname: undefined }, "Second name is missing."],
    [{ email: "nobody" }, "Email address is not valid."],
    [{ email: "a@example.com\r\nBcc: b@example.com" }, "Email address is not valid."],
    [{ email: `${"a".repeat(250)}@example.com` }, "Email address is too long."],
    ...["short1!", "nodigits!", "nosymbol1", "wrong sym1!", "toolongtoolongtoolo1!"].map(
      (password) =>
        [
          { password },
          "Password must be 8-20 characters and include at least one number and one symbol.",
        ] as [Record<string, unknown>, string],
    ),
  ])("refuses %j with a message", async (change, message) => {
    const person = {
      firstname: "A",
      surname: "B",
      email: "refused@example.com",
      password: "abcdefg1!",
      ...change,
    };
    const answer = await t.call("POST", "/api/auth/register", person);
    expect(answer).toMatchObject({ status: 400, body: { code: "REGISTER_FAILED", message } });
  });

  it("answers an existing address like a new one, and mails its owner", async () => {
    const owner = await t.signUp();
    const { firstname, surname } = owner;
    const again = { firstname, surname, email: owner.email.toUpperCase(), password: "stranger1!" };
    const fresh = await t.call("POST", "/api/auth/register", { ...again, email: "really-new@example.com" });
    const repeated = await t.call("POST", "/api/auth/register", again);
    expect([repeated.status, repeated.body]).toEqual([fresh.status, fresh.body]);
    expect((await t.mailTo(owner.email, 2)).subject).toBe("You already have a Watchglass account");
    const stranger = await t.call("POST", "/api/auth/login", { email: owner.email, password: "stranger1!" });
    expect(outcome(stranger)).toEqual([401, "LOGIN_FAILED"]);
  });

  const orders = [
    [0, 1, 2],
    [0, 2, 1],
    [1, 0, 2],
    [1, 2, 0],
    [2, 0, 1],
    [2, 1, 0],
  ];
  const activate = (token: string) => t.call("GET", `/api/registration/activate/${token}`);
  const signIn = async (email: string, password: string) =>
    (await t.call("POST", "/api/auth/login", { email, password })).status;

  /** Three sign-ups with one address, each by somebody else; returns their passwords and links. */
  async function signUpThrice(email: string) {
    const passwords = ["password0!", "password1!", "password2!"];
    const links: string[] = [];
    for (const [n, password] of passwords.entries()) {
      await t.call("POST", "/api/auth/register", { firstname: `N${n}`, surname: "X", email, password });
      const known = new Set(links);
      await t.mailTo(email, n + 1);
      links.push((await t.mailsTo(email)).map(linkToken).find((link) => !known.has(link)) ?? "");
    }
    return { passwords, links };
  }

  it.each(orders)(
    "A6 of three sign-ups with links opened in the order %i %i %i, the first opened sets the password",
    async (...order) => {
      const email = `order-${order.join("")}@example.com`;
      const { passwords, links } = await signUpThrice(email);
      const opened = [];
      for (const n of order) opened.push(outcome(await activate(links[n] ?? "")));
      expect(opened).toEqual([
        [200, "ACTIVATION_SUCCESS"],
        [400, "ACTIVATION_FAILED"],
        [400, "ACTIVATION_FAILED"],
      ]);
      const signedIn = [];
      for (const password of passwords) signedIn.push(await signIn(email, password));
      expect(signedIn).toEqual(passwords.map((_, n) => (n === order[0] ? 200 : 401)));
      const { firstname } = await t.app.db
        .selectFrom("accounts")
        .select("firstname")
        .where("email", "=", email)
        .executeTakeFirstOrThrow();
      expect(firstname).toBe(`N${order[0]}`);
    },
  );

  it("A6 of three links opened at the same time exactly one works, and its password becomes the account's", async () => {
    const email = "at-once@example.com";
    const { passwords, links } = await signUpThrice(email);
    const opened = await Promise.all(links.map(activate));
    expect(opened.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 400, 400]);
    const winner = opened.findIndex(({ status }) => status === 200);
    const signedIn = [];
    for (const password of passwords) signedIn.push(await signIn(email, password));
    expect(signedIn).toEqual(passwords.map((_, n) => (n === winner ? 200 : 401)));
  });

  it("A6 concurrent sign-ups each get a link, and activation explains how to replace a stranger's password", async () => {
    const email = "together@example.com";
    const passwords = ["password0!", "password1!", "password2!"];
    await Promise.all(
      passwords.map((password) =>
        t.call("POST", "/api/auth/register", { firstname: "A", surname: "B", email, password }),
      ),
    );
    await t.mailTo(email, 3);
    const [link = ""] = (await t.mailsTo(email)).map(linkToken);
    const { status, body } = await activate(link);
    expect([status, body.message]).toEqual([
      200,
      expect.stringMatching(
        /^Your account has been successfully activated\. This address was used to sign up more than once: .* set a new password/,
      ),
    ]);
    // A later sign-up finds the account and changes nothing.
    await t.call("POST", "/api/auth/register", {
      firstname: "A",
      surname: "B",
      email,
      password: "stranger1!",
    });
    expect((await t.mailTo(email, 4)).subject).toBe("You already have a Watchglass account");
    expect(await signIn(email, "stranger1!")).toBe(401);
  });

  it("A6 recovery invalidates the links of unconfirmed sign-ups", async () => {
    const email = "recovered@example.com";
    const { passwords, links } = await signUpThrice(email);
    await t.call("POST", "/api/recover", { email });
    const recoveryMail = await t.mailTo(email, 4);
    await t.call("PATCH", `/api/recover/${linkToken(recoveryMail)}`, { newPassword: "ownerspass1!" });
    for (const link of links) expect((await activate(link)).status).toBe(400);
    for (const password of passwords) expect(await signIn(email, password)).toBe(401);
    expect(await signIn(email, "ownerspass1!")).toBe(200);
    // A stranger chose the account's name, so the mail doesn't contain it.
    expect((await t.mailTo(email, 5)).text).toMatch(/^Hello,\n/);
  });

  it("A6 a link from an older version, which has no password of its own, activates with the account's password", async () => {
    const { email, password, activation } = await t.signUp({ activate: false });
    await sql`update account_tokens set password_hash = null, firstname = null, surname = null
      where account_id = (select id from accounts where email = ${email})`.execute(t.app.db);
    await t.call("POST", "/api/auth/register", {
      firstname: "A",
      surname: "B",
      email,
      password: "stranger1!",
    });
    expect((await t.mailTo(email, 2)).subject).toBe("Another sign-up at Watchglass with your address");
    expect((await activate(activation)).status).toBe(200);
    expect([await signIn(email, password), await signIn(email, "stranger1!")]).toEqual([200, 401]);
  });

  it("Z3 refuses a plan and an activation time from the caller", async () => {
    const person = { firstname: "A", surname: "B", email: "greedy@example.com", password: "abcdefg1!" };
    for (const extraField of [{ plan_id: "ultimate" }, { activated_at: "2020-01-01" }]) {
      const answer = await t.call("POST", "/api/auth/register", { ...person, ...extraField });
      expect([answer.status, answer.body.field]).toEqual([400, Object.keys(extraField)[0]]);
    }
    await t.call("POST", "/api/auth/register", person);
    await t.mailTo("greedy@example.com");
    const row = await t.app.db
      .selectFrom("accounts")
      .select(["plan_id", "activated_at"])
      .where("email", "=", "greedy@example.com")
      .executeTakeFirst();
    expect(row).toEqual({ plan_id: "basic", activated_at: null });
  });

  it("creates one account for concurrent sign-ups with one address", async () => {
    const person = { firstname: "A", surname: "B", email: "twice@example.com", password: "abcdefg1!" };
    const answers = await Promise.all([1, 2, 3].map(() => t.call("POST", "/api/auth/register", person)));
    expect(answers.map((answer) => answer.status)).toEqual([200, 200, 200]);
    const rows = await t.app.db
      .selectFrom("accounts")
      .select("id")
      .where("email", "=", person.email)
      .execute();
    expect(rows).toHaveLength(1);
  });
});

describe("activation", () => {
  it("A6 a link works once, also when opened twice at the same time", async () => {
    const { activation } = await t.signUp({ activate: false });
    const answers = await Promise.all(
      [1, 2].map(() => t.call("GET", `/api/registration/activate/${activation}`)),
    );
    expect(answers.map((answer) => answer.status).toSorted((a, b) => a - b)).toEqual([200, 400]);
  });

  it("A6 refuses an expired link and a made-up one", async () => {
    const { activation, email } = await t.signUp({ activate: false });
    await sql`update account_tokens set expires_at = now() - interval '1 second'
      where account_id = (select id from accounts where email = ${email})`.execute(t.app.db);
    for (const token of [activation, "made-up", randomBytes(32).toString("base64url")]) {
      expect(outcome(await t.call("GET", `/api/registration/activate/${token}`))).toEqual([
        400,
        "ACTIVATION_FAILED",
      ]);
    }
  });
});

describe("sign-in", () => {
  it("A3 sets an HttpOnly, Secure, SameSite=Strict cookie for seven days", async () => {
    const { email, password } = await t.addAccount();
    const answer = await t.call("POST", "/api/auth/login", { email, password });
    const cookie = String(answer.headers["set-cookie"]);
    expect(cookie.split("; ").slice(1).sort()).toEqual([
      "HttpOnly",
      "Max-Age=604800",
      "Path=/",
      "SameSite=Strict",
      "Secure",
    ]);
    expect(cookie).toContain(`session=${String(answer.body.token)};`);
  });

  it("A5 answers known and unknown addresses alike", async () => {
    const { email } = await t.addAccount();
    const known = await t.call("POST", "/api/auth/login", { email, password: "wrong1!x" });
    const unknown = await t.call("POST", "/api/auth/login", {
      email: "nobody@example.com",
      password: "wrong1!x",
    });
    expect([known.status, known.body]).toEqual([unknown.status, unknown.body]);
    expect(known.body.code).toBe("LOGIN_FAILED");
  });

  it("before activation says that the account is not active, and mails a new link at most every ten minutes", async () => {
    const person = await t.signUp({ activate: false });
    const login = () => t.call("POST", "/api/auth/login", { email: person.email, password: person.password });
    const answer = await login();
    expect(outcome(answer)).toEqual([401, "LOGIN_FAILED"]);
    expect(answer.body.message).toContain("not activated yet");
    expect(await t.countMailsTo(person.email)).toBe(1);
    await sql`update account_tokens set created_at = now() - interval '11 minutes'
      where account_id = (select id from accounts where email = ${person.email})`.execute(t.app.db);
    await login();
    await login();
    await t.mailTo(person.email, 2);
    expect(await t.countMailsTo(person.email)).toBe(2);
    const wrong = await t.call("POST", "/api/auth/login", { email: person.email, password: "wrong1!x" });
    expect(wrong.body.message).toBe("The email address or the password is wrong.");
  });

  it("A7 blocks an IP address after ten wrong passwords without locking the owner out elsewhere", async () => {
    const { email, password } = await t.addAccount();
    const guess = () =>
      t.call("POST", "/api/auth/login", { email, password: "guess-1!" }, { ip: "198.51.100.7" });
    const answers = [];
    for (let i = 0; i < 11; i++) answers.push(await guess());
    expect(answers.map((answer) => answer.status)).toEqual([...Array(10).fill(401), 429]);
    expect(Number(answers[10]?.headers["retry-after"])).toBeGreaterThan(0);
    expect(answers[10]?.body.code).toBe("RATE_LIMITED");
    const right = await t.call("POST", "/api/auth/login", { email, password }, { ip: "198.51.100.7" });
    expect(right.status).toBe(429);
    const elsewhere = await t.call("POST", "/api/auth/login", { email, password }, { ip: "198.51.100.8" });
    expect(elsewhere.status).toBe(200);
  });

  it("issues a new token each time", async () => {
    const { email, password } = await t.addAccount();
    const signIn = () => t.call("POST", "/api/auth/login", { email, password });
    const { token } = (await signIn()).body;
    expect(String(token)).toMatch(/^[\w.-]{20,}$/);
    expect((await signIn()).body.token).not.toBe(token);
  });
});

describe("sessions", () => {
  it("A2 refuses a forged, an unsigned, an expired and a foreign token", async () => {
    const { token } = await t.addAccount();
    const claims = JSON.parse(Buffer.from(token.split(".")[1] ?? "", "base64url").toString());
    const unsigned = new UnsecuredJWT({ sid: claims.sid }).setSubject(claims.sub).encode();
    const sign = (secret: string, expires: string) =>
      new SignJWT({ sid: claims.sid })
        .setProtectedHeader({ alg: "HS256" })
        .setSubject(claims.sub)
        .setExpirationTime(expires)
        .sign(new TextEncoder().encode(secret));
    const ourSecret = "0123456789abcdef0123456789abcdef";
    const tokens = [
      unsigned,
      await sign("another-secret-another-secret-12", "7d"),
      await sign(ourSecret, "-1s"),
      `${token}x`,
      "nonsense",
    ];
    for (const forged of tokens) {
      expect(outcome(await t.call("GET", "/api/me", undefined, { token: forged }))).toEqual([
        401,
        "UNAUTHENTICATED",
      ]);
    }
    expect((await t.call("GET", "/api/me", undefined, { token: await sign(ourSecret, "7d") })).status).toBe(
      200,
    );
  });

  it("A3 uses only the Authorization header when a cookie is sent too", async () => {
    const { token } = await t.addAccount();
    expect((await t.call("GET", "/api/me", undefined, { cookie: token })).status).toBe(200);
    expect((await t.call("GET", "/api/me", undefined, { cookie: token, token: "nonsense" })).status).toBe(
      401,
    );
  });

  it("A4 accepts writes by cookie only from our own pages", async () => {
    const { token: cookie } = await t.addAccount();
    const write = (headers: Record<string, string>) =>
      t.call("PATCH", "/api/me/update", { firstname: "Eve" }, { cookie, headers });
    expect(outcome(await write({}))).toEqual([403, "FORBIDDEN_ORIGIN"]);
    expect((await write({ origin: "https://evil.example" })).status).toBe(403);
    expect((await write({ "sec-fetch-site": "cross-site" })).status).toBe(403);
    expect((await write({ "sec-fetch-site": "same-site" })).status).toBe(403);
    expect((await write({ origin: "http://localhost:3000" })).status).toBe(200);
    expect((await write({ "sec-fetch-site": "same-origin" })).status).toBe(200);
    expect((await t.call("GET", "/api/me", undefined, { cookie })).body.firstname).toBe("Eve");
  });

  it("A4 refuses a sign-in sent by another site's page", async () => {
    const { email, password } = await t.addAccount();
    const headers = { "sec-fetch-site": "cross-site" };
    expect((await t.call("POST", "/api/auth/login", { email, password }, { headers })).status).toBe(403);
  });

  it("A2 signing out ends only that session", async () => {
    const { email, password, token } = await t.addAccount();
    const other = String((await t.call("POST", "/api/auth/login", { email, password })).body.token);
    const answer = await t.call("POST", "/api/auth/logout", undefined, { token });
    expect(outcome(answer)).toEqual([200, "LOGOUT_SUCCESS"]);
    expect(String(answer.headers["set-cookie"])).toMatch(/^session=; Max-Age=0; Path=\/;/);
    expect((await t.call("GET", "/api/me", undefined, { token })).status).toBe(401);
    expect((await t.call("GET", "/api/me", undefined, { token: other })).status).toBe(200);
  });

  it("A2 a session ends when it expires after seven days", async () => {
    const { token, email } = await t.addAccount();
    await sql`update sessions set expires_at = now() where account_id = (select id from accounts where email = ${email})`.execute(
      t.app.db,
    );
    expect((await t.call("GET", "/api/me", undefined, { token })).status).toBe(401);
  });
});

describe("recovery", () => {
  const recover = (email: string, ip?: string) => t.call("POST", "/api/recover", { email }, ip ? { ip } : {});

  it("mails a link that sets a new password, ends every session and notifies the owner", async () => {
    const person = await t.addAccount();
    expect(outcome(await recover(person.email.toUpperCase()))).toEqual([200, "RECOVER_SEND_LINK_SUCCESS"]);
    const mail = await t.mailTo(person.email);
    expect(mail.subject).toBe("Set a new Watchglass password");
    const answer = await t.call("PATCH", `/api/recover/${linkToken(mail)}`, { newPassword: "brandnew1!" });
    expect(outcome(answer)).toEqual([200, "PASSWORD_RESET_SUCCESS"]);
    expect((await t.call("GET", "/api/me", undefined, { token: person.token })).status).toBe(401);
    expect((await t.mailTo(person.email, 2)).subject).toBe("Your Watchglass password was changed");
    const old = await t.call("POST", "/api/auth/login", { email: person.email, password: person.password });
    expect(old.status).toBe(401);
    const fresh = await t.call("POST", "/api/auth/login", { email: person.email, password: "brandnew1!" });
    expect(fresh.status).toBe(200);
  });

  it("lists the API keys that still work and revokes them on request", async () => {
    const person = await t.addAccount();
    for (const [name, days] of [
      ["CI", null],
      ["Backup", 30],
      ["Ended", 1],
    ])
      await t.call("POST", "/api/keys", { name, scope: "read", days }, { token: person.token });
    const created = await t.call(
      "POST",
      "/api/keys",
      { name: "Used", scope: "write" },
      { token: person.token },
    );
    const key = String(created.body.key);
    await t.call("GET", "/api/me", undefined, { token: key });
    await sql`update api_keys set expires_at = now() where name = 'Ended'`.execute(t.app.db);
    const seen = new Set<string>();
    /** Requests a link and waits for the mail with one that was not seen before. */
    const requestLink = async () => {
      await recover(person.email);
      for (let nth = 1; ; nth++) {
        const mail = await t.mailTo(person.email, nth);
        if (mail.subject !== "Set a new Watchglass password" || seen.has(linkToken(mail))) continue;
        seen.add(linkToken(mail));
        return linkToken(mail);
      }
    };
    const newest = async (subject: string) =>
      (await t.mailsTo(person.email)).findLast((mail) => mail.subject === subject)?.text;
    const link = await requestLink();
    const keyList = await t.call("GET", `/api/recover/${link}`);
    expect(keyList.status).toBe(200);
    const createdAt = expect.any(String);
    expect(keyList.body).toEqual({
      keys: [
        { name: "Used", scope: "write", createdAt, lastUsedAt: expect.any(String) },
        { name: "Backup", scope: "read", createdAt, lastUsedAt: null },
        { name: "CI", scope: "read", createdAt, lastUsedAt: null },
      ],
    });
    expect(JSON.stringify(keyList.body)).not.toContain("wg_");
    const resetKeepingKeys = await t.call("PATCH", `/api/recover/${link}`, { newPassword: "brandnew1!" });
    expect(resetKeepingKeys.body.message).toBe(
      "Your password is changed. Sign in with the new one. 3 API keys still work: Used, Backup, CI. You can revoke them in your profile.",
    );
    expect((await t.call("GET", "/api/me", undefined, { token: key })).status).toBe(200);
    await t.mailTo(person.email, 6);
    expect(await newest("Your Watchglass password was changed")).toMatch(
      /These still work:\n- Used \(write\), last used on .* UTC\n- Backup \(read\), never used\n- CI \(read\), never used\n/,
    );
    expect(outcome(await t.call("GET", `/api/recover/${link}`))).toEqual([400, "PASSWORD_RESET_FAILED"]);

    const secondLink = await requestLink();
    const resetRevokingKeys = await t.call("PATCH", `/api/recover/${secondLink}`, {
      newPassword: "another1!",
      revokeKeys: true,
    });
    expect(resetRevokingKeys.body.message).toMatch(
      /^Your password is changed\. Sign in with the new one\. 4 API keys were revoked: /,
    );
    expect((await t.call("GET", "/api/me", undefined, { token: key })).status).toBe(401);
    const login = await t.call("POST", "/api/auth/login", { email: person.email, password: "another1!" });
    const trail = await t.call("GET", "/api/me/audit", undefined, { token: String(login.body.token) });
    const entries = trail.body.entries as unknown as { text: string; about: string | null; actor: string }[];
    expect(
      entries
        .filter(({ actor }) => actor === "link")
        .map(({ text, about }) => `${text} ${about}`)
        .sort(),
    ).toEqual([
      "API key revoked Backup",
      "API key revoked CI",
      "API key revoked Ended",
      "API key revoked Used",
      "Password changed null",
      "Password changed null",
    ]);
  });

  it("A5 answers an unknown address the same way and mails nobody", async () => {
    const { email } = await t.addAccount();
    const known = await recover(email);
    const unknown = await recover("nobody-at-all@example.com");
    expect([unknown.status, unknown.body]).toEqual([known.status, known.body]);
    await t.mailTo(email);
    expect(await t.countMailsTo("nobody-at-all@example.com")).toBe(0);
  });

  it("refuses an invalid address, and an invalid password without using up the link", async () => {
    expect(outcome(await recover("not an address"))).toEqual([400, "RECOVER_LINK_FAILED"]);
    const { email } = await t.addAccount();
    await recover(email);
    const token = linkToken(await t.mailTo(email));
    const bad = await t.call("PATCH", `/api/recover/${token}`, { newPassword: "short" });
    expect(bad).toMatchObject({
      status: 400,
      body: {
        code: "PASSWORD_RESET_FAILED",
        message: "Password must be 8-20 characters and include at least one number and one symbol.",
      },
    });
    expect((await t.call("PATCH", `/api/recover/${token}`, { newPassword: "brandnew1!" })).status).toBe(200);
  });

  it("A6 only one of two concurrent uses of a link succeeds, and a newer link replaces an older one", async () => {
    const { email } = await t.addAccount();
    await recover(email);
    const older = linkToken(await t.mailTo(email));
    await recover(email);
    const newer = linkToken(await t.mailTo(email, 2));
    const reset = (token: string, newPassword: string) =>
      t.call("PATCH", `/api/recover/${token}`, { newPassword });
    expect(outcome(await reset(older, "brandnew1!"))).toEqual([400, "PASSWORD_RESET_FAILED"]);
    const answers = await Promise.all([reset(newer, "brandnew1!"), reset(newer, "brandnew2!")]);
    expect(answers.map((answer) => answer.status).toSorted((a, b) => a - b)).toEqual([200, 400]);
  });

  it("A7 allows five requests per hour", async () => {
    const statuses = [];
    for (let i = 0; i < 6; i++) statuses.push((await recover("often@example.com")).status);
    expect(statuses).toEqual([200, 200, 200, 200, 200, 429]);
  });

  it("an activation token does not reset a password", async () => {
    const { activation } = await t.signUp({ activate: false });
    const answer = await t.call("PATCH", `/api/recover/${activation}`, { newPassword: "brandnew1!" });
    expect(answer.status).toBe(400);
  });
});

describe("profile", () => {
  it("GET /api/me has the specified shape", async () => {
    const { token, email } = await t.addAccount();
    const { body } = await t.call("GET", "/api/me", undefined, { token });
    expect(body).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      email,
      firstname: "Ana",
      surname: "Ćosić",
      plan: "Basic",
      planId: "basic",
      photo: null,
      createdAt: expect.any(String),
      Login: [{ email }],
      UserBotToken: [
        { telegramPrivateToken: expect.stringMatching(/^[\w-]{32}$/), telegramNotificationEnabled: 0 },
      ],
      notifications: { telegram: true, email: true, combine: true },
    });
  });

  it("an update keeps the old values of empty fields", async () => {
    const { token } = await t.addAccount();
    const answer = await t.call("PATCH", "/api/me/update", { firstname: "", surname: "محمد" }, { token });
    expect(answer.body.message).toBe("Your profile is updated.");
    const { body } = await t.call("GET", "/api/me", undefined, { token });
    expect([body.firstname, body.surname]).toEqual(["Ana", "محمد"]);
    const bad = await t.call("PATCH", "/api/me/update", { firstname: "x".repeat(101) }, { token });
    expect(outcome(bad)).toEqual([400, "INVALID_INPUT"]);
  });

  it("the notification switches are independent", async () => {
    const { token } = await t.addAccount();
    const set = (body: object) => t.call("PATCH", "/api/settings/notifications", body, { token });
    const state = async () => (await t.call("GET", "/api/me", undefined, { token })).body.notifications;
    await set({ telegramNotifications: false });
    expect(await state()).toEqual({ telegram: false, email: true, combine: true });
    await set({ emailNotifications: 0, telegramNotifications: 1 });
    expect(await state()).toEqual({ telegram: true, email: false, combine: true });
    await set({ combineAlerts: false });
    expect(await state()).toEqual({ telegram: true, email: false, combine: false });
    expect((await set({ telegramNotifications: "maybe" })).status).toBe(400);
    const { body } = await t.call("GET", "/api/me", undefined, { token });
    expect(body.UserBotToken?.[0]).toMatchObject({ telegramNotificationEnabled: 0 });
  });

  const uploadPhoto = (token: string, bytes: Buffer, type = "image/png", ip?: string) => {
    const form = Buffer.concat([
      Buffer.from(
        `--x\r\nContent-Disposition: form-data; name="photo"; filename="../../p.png"\r\nContent-Type: ${type}\r\n\r\n`,
      ),
      bytes,
      Buffer.from("\r\n--x--\r\n"),
    ]);
    return t.call("PUT", "/api/me/photo", form, {
      token,
      headers: { "content-type": "multipart/form-data; boundary=x" },
      ...(ip && { ip }),
    });
  };

  it("other calls are answered while photos are decoded, and only a few photos may wait", async () => {
    const { token } = await t.addAccount();
    // Progressive JPEGs take longest to decode: none is done before the last upload has arrived.
    const large = await sharp({ create: { width: 2400, height: 2400, channels: 3, background: "teal" } })
      .jpeg({ progressive: true })
      .toBuffer();
    let isDone = false;
    const uploads = Promise.all(
      Array.from({ length: 8 }, (_, n) => uploadPhoto(token, large, "image/jpeg", `192.0.2.${n}`)),
    );
    void uploads.finally(() => (isDone = true));
    let answered = 0;
    while (!isDone && answered <= 20) {
      await sleep(1);
      answered += Number((await t.call("GET", "/healthz")).status === 200);
    }
    expect(answered).toBeGreaterThan(20);
    expect((await uploads).map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([
      ...Array.from({ length: 6 }, () => 200),
      429,
      429,
    ]);
  });

  it("Z5 stores a photo re-encoded and refuses files that are not photos", async () => {
    const { token } = await t.addAccount();
    const upload = (bytes: Buffer, type?: string) => uploadPhoto(token, bytes, type);
    expect((await t.call("GET", "/api/me/photo", undefined, { token })).status).toBe(404);
    const png = await sharp({ create: { width: 900, height: 600, channels: 3, background: "teal" } })
      .withExif({ IFD0: { Copyright: "marked-exif" } })
      .png()
      .toBuffer();
    expect((await upload(png)).status).toBe(200);
    const photo = await t.call("GET", "/api/me/photo", undefined, { token });
    expect(photo.headers["content-type"]).toBe("image/webp");
    const { format, width, height, exif } = await sharp(photo.raw).metadata();
    expect({ format, width, height, exif }).toEqual({
      format: "webp",
      width: 512,
      height: 512,
      exif: undefined,
    });
    expect((await t.call("GET", "/api/me", undefined, { token })).body.photo).toMatch(
      /^\/api\/me\/photo\?v=[0-9a-f]{32}$/,
    );

    const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><script/></svg>');
    for (const bytes of [svg, Buffer.from("GIF89a"), Buffer.from("not a picture"), png.subarray(0, 100)]) {
      expect(outcome(await upload(bytes))).toEqual([400, "PHOTO_INVALID"]);
    }
    const huge = await sharp({ create: { width: 5000, height: 4100, channels: 3, background: "teal" } })
      .png()
      .toBuffer();
    expect((await upload(huge)).status).toBe(400);
    expect(outcome(await upload(Buffer.alloc(5 * 1024 * 1024 + 1)))).toEqual([413, "TOO_LARGE"]);
  });

  it("A8 deletion needs the password, deletes the account with its sessions and mails the owner", async () => {
    const { token, email, password } = await t.addAccount();
    const remove = (given: string) => t.call("DELETE", "/api/me", { password: given }, { token });
    expect(outcome(await remove("wrong1!x"))).toEqual([403, "PASSWORD_WRONG"]);
    expect(outcome(await remove(password))).toEqual([200, "DELETE_SUCCESS"]);
    expect((await t.call("GET", "/api/me", undefined, { token })).status).toBe(401);
    expect((await t.call("POST", "/api/auth/login", { email, password })).status).toBe(401);
    expect((await t.mailTo(email)).subject).toBe("Your Watchglass account was deleted");
    const rows = await t.app.db.selectFrom("accounts").select("id").where("email", "=", email).execute();
    expect(rows).toEqual([]);
  });
});
