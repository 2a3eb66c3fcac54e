"""Addresses of people and clubs: the doors, a person's own settings, clubs."""

from allauth.account import views as account
from allauth.mfa.base import views as second_factor
from allauth.mfa.recovery_codes import views as spare_codes
from allauth.mfa.totp import views as app
from allauth.mfa.webauthn import views as passkeys
from django.urls import path, re_path

from clubs import views

# allauth builds its links by these names; "login" and "logout" are Django's.
doors = [
    path("sign-in/", views.sign_in, name="login"),
    path("sign-in/", views.sign_in, name="account_login"),
    path("sign-in/code/", views.second_step, name="mfa_authenticate"),
    path("sign-in/passkey/", views.sign_in_by_passkey, name="mfa_login_webauthn"),
    path("sign-in/again/", account.reauthenticate, name="account_reauthenticate"),
    path("sign-in/again/code/", second_factor.reauthenticate, name="mfa_reauthenticate"),
    path("sign-in/again/passkey/", passkeys.reauthenticate_webauthn, name="mfa_reauthenticate_webauthn"),
    path("sign-out/", account.logout, name="logout"),
    path("sign-out/", account.logout, name="account_logout"),
    path("sign-up/", views.sign_up, name="account_signup"),
    path("closed/", account.account_inactive, name="account_inactive"),
    path("email/sent/", account.email_verification_sent, name="account_email_verification_sent"),
    path("email/<str:key>/", account.confirm_email, name="account_confirm_email"),
    path("password/", account.password_reset, name="account_reset_password"),
    path("password/sent/", account.password_reset_done, name="account_reset_password_done"),
    path("password/new/", account.password_reset_from_key_done, name="account_reset_password_from_key_done"),
    re_path(
        r"^password/(?P<uidb36>[0-9A-Za-z]+)-(?P<key>.+)/$",
        account.password_reset_from_key,
        name="account_reset_password_from_key",
    ),
]
own = [
    path("settings/", views.settings, name="settings"),
    path("settings/email/", views.for_members(account.email), name="account_email"),
    path("settings/password/", views.for_members(account.password_change), name="account_change_password"),
    path("settings/password/first/", views.for_members(account.password_set), name="account_set_password"),
    path("settings/second-factor/", views.for_members(second_factor.index), name="mfa_index"),
    path("settings/app/", views.for_members(app.activate_totp), name="mfa_activate_totp"),
    path("settings/app/remove/", views.for_members(app.deactivate_totp), name="mfa_deactivate_totp"),
    path(
        "settings/codes/", views.for_members(spare_codes.view_recovery_codes), name="mfa_view_recovery_codes"
    ),
    path(
        "settings/codes/new/",
        views.for_members(spare_codes.generate_recovery_codes),
        name="mfa_generate_recovery_codes",
    ),
    path(
        "settings/codes/file/",
        views.for_members(spare_codes.download_recovery_codes),
        name="mfa_download_recovery_codes",
    ),
    path("settings/passkeys/", views.for_members(passkeys.list_webauthn), name="mfa_list_webauthn"),
    path("settings/passkeys/add/", views.for_members(passkeys.add_webauthn), name="mfa_add_webauthn"),
    path(
        "settings/passkeys/<int:pk>/remove/",
        views.for_members(passkeys.remove_webauthn),
        name="mfa_remove_webauthn",
    ),
    path("settings/passkeys/<int:pk>/", views.for_members(passkeys.edit_webauthn), name="mfa_edit_webauthn"),
    path("settings/sessions/", views.sessions, name="sessions"),
    path("settings/tokens/", views.tokens, name="tokens"),
    path("settings/tokens/new/", views.new_token, name="new_token"),
    path("settings/tokens/bot/", views.mark_bot, name="mark_bot"),
    path("settings/tokens/<int:token_id>/revoke/", views.revoke_token, name="revoke_token"),
    path("settings/notifications/", views.notice_settings, name="notice_settings"),
    path("settings/data/", views.own_data, name="own_data"),
    path("settings/erase/", views.erase_me, name="erase_me"),
]
told = [
    path("notifications/", views.notices, name="notices"),
    path("notifications/count/", views.notice_count, name="notice_count"),
    path("notifications/read/", views.read_notices, name="read_notices"),
    path("notifications/<int:notice_id>/", views.notice, name="notice"),
    path("notifications/off/<str:signed>/", views.stop_mails, name="stop_mails"),
]
ONE = "clubs/<slug:club_slug>/"
of_clubs = [
    path("found/", views.found, name="found"),
    path("clubs/", views.clubs, name="clubs"),
    path("clubs/new/", views.new_club, name="new_club"),
    path("invitations/<str:token>/", views.invitation, name="invitation"),
    path(ONE, views.club, name="club"),
    path(f"{ONE}enter/", views.enter_club, name="enter_club"),
    path(f"{ONE}join/", views.join, name="join_club"),
    path(f"{ONE}withdraw/", views.withdraw, name="withdraw_request"),
    path(f"{ONE}leave/", views.leave, name="leave_club"),
    path(f"{ONE}members/", views.members, name="club_members"),
    path(f"{ONE}members/<int:person_id>/roles/", views.roles, name="member_roles"),
    path(f"{ONE}members/<int:person_id>/ban/", views.ban, name="ban_member"),
    path(f"{ONE}members/<int:person_id>/unban/", views.lift_ban, name="unban_member"),
    path(f"{ONE}requests/<int:request_id>/", views.decide, name="decide_request"),
    path(f"{ONE}invitations/", views.invitations, name="club_invitations"),
    path(f"{ONE}invitations/<uuid:invitation_id>/", views.one_invitation, name="club_invitation"),
    path(f"{ONE}invitations/<uuid:invitation_id>/revoke/", views.revoke, name="revoke_invitation"),
    path(f"{ONE}settings/", views.club_settings, name="club_settings"),
    path(f"{ONE}log/", views.log, name="club_log"),
]
urlpatterns = [*of_clubs, *doors, *own, *told]
